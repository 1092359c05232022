#ifndef ASSAY_COMPILER_GRAPH_ENCODING_CHANNEL_BLOCKS_H_
#define ASSAY_COMPILER_GRAPH_ENCODING_CHANNEL_BLOCKS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/attrs/attr_field.h"
#include "compiler/graph/encoding/encoding_step.h"

namespace assay::graph {

// ChannelBlocks: an image whose channels are divided into blocks. [N,C,H,W] is
// stored as [N,C/block,H,W,block], so that a vector holds neighbouring channels
// of one pixel. There may be any number of axes after the channels. C must be a
// multiple of the block.
struct ChannelBlocks {
  int64_t block = 0;

  static constexpr char kName[] = "blocks";
  static constexpr auto Fields() {
    return FieldList(Required("block", &ChannelBlocks::block));
  }
  absl::StatusOr<std::vector<EncodingStep>> Steps(const ArrayType& plain) const;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ENCODING_CHANNEL_BLOCKS_H_
