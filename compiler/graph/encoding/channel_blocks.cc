#include "compiler/graph/encoding/channel_blocks.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::graph {

absl::StatusOr<std::vector<EncodingStep>> ChannelBlocks::Steps(
    const ArrayType& plain) const {
  const auto rank = static_cast<int64_t>(plain.shape.size());
  if (block < 1 || rank < 2 || plain.shape[1] % block != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "blocks of ", block, " do not divide the channels, axis 1, of ",
        ShapeToString(plain.shape)));
  }
  Shape split = plain.shape;
  split[1] /= block;
  split.insert(split.begin() + 2, block);
  std::vector<int64_t> perm = {0, 1};
  for (int64_t axis = 3; axis <= rank; ++axis) perm.push_back(axis);
  perm.push_back(2);
  return std::vector<EncodingStep>{ReshapeStep{split}, TransposeStep{perm}};
}

}  // namespace assay::graph
