#ifndef ASSAY_COMPILER_GRAPH_ENCODING_FILTER_BLOCKS_H_
#define ASSAY_COMPILER_GRAPH_ENCODING_FILTER_BLOCKS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/attrs/attr_field.h"
#include "compiler/graph/encoding/encoding_step.h"
#include "runtime/base/dtype.h"

namespace assay::graph {

// FilterBlocks: the weights of a convolution whose data and result have blocks
// of channels. O is the number of filters, and C the number of channels that
// each of them reads.
//   - [O,C,KH,KW] is stored as [O/out,C/i,KH,KW,i,out], where i = min(in,C).
//   - With depth, for integers: it is stored as
//     [O/out,C/in,KH,KW,in/depth,out,depth], so that a vector holds `depth`
//     neighbouring channels of each filter. `dtype` is the type of the stored
//     integers; float32 stands for that of the plain ones.
//   - With transposed_groups, for conv2d_transpose: the plain weights are
//     [C * groups,O/groups,KH,KW].
struct FilterBlocks {
  int64_t in = 0;
  int64_t out = 0;
  int64_t depth = 0;
  DType dtype = DType();
  int64_t transposed_groups = 0;

  static constexpr char kName[] = "filters";
  static constexpr auto Fields() {
    using E = FilterBlocks;
    return FieldList(Required("in", &E::in), Required("out", &E::out),
                     Optional("depth", &E::depth), Optional("dtype", &E::dtype),
                     Optional("transposed_groups", &E::transposed_groups));
  }
  absl::StatusOr<std::vector<EncodingStep>> Steps(const ArrayType& plain) const;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ENCODING_FILTER_BLOCKS_H_
