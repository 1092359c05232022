#include "compiler/graph/encoding/filter_blocks.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::graph {

absl::StatusOr<std::vector<EncodingStep>> FilterBlocks::Steps(
    const ArrayType& plain) const {
  std::vector<EncodingStep> steps;
  Shape s = plain.shape;
  const auto invalid = [&] {
    return absl::InvalidArgumentError(absl::StrCat(
        "blocks of ", in, " channels and ", out, " filters, with depth ", depth,
        ", do not fit weights ", ShapeToString(plain.shape)));
  };
  if (s.size() != 4 || in < 1 || out < 1 || depth < 0 ||
      transposed_groups < 0) {
    return invalid();
  }
  if (transposed_groups > 0) {
    const int64_t groups = transposed_groups;
    if (s[0] % groups != 0) return invalid();
    steps.emplace_back(ReshapeStep{{groups, s[0] / groups, s[1], s[2], s[3]}});
    steps.emplace_back(TransposeStep{{0, 2, 1, 3, 4}});
    s = {groups * s[1], s[0] / groups, s[2], s[3]};
    steps.emplace_back(ReshapeStep{s});
  }
  if (depth > 0) {
    if (in % depth != 0 || s[0] % out != 0 || s[1] % in != 0 ||
        (dtype != DType() && !HoldsIntegers(dtype, plain.dtype))) {
      return invalid();
    }
    if (dtype != DType() && dtype != plain.dtype) {
      steps.emplace_back(CastStep{dtype});
    }
    steps.emplace_back(ReshapeStep{
        {s[0] / out, out, s[1] / in, in / depth, depth, s[2], s[3]}});
    steps.emplace_back(TransposeStep{{0, 2, 5, 6, 3, 1, 4}});
    return steps;
  }
  const int64_t inner = std::min(in, s[1]);
  if (dtype != DType() || inner < 1 || s[0] % out != 0 || s[1] % inner != 0) {
    return invalid();
  }
  steps.emplace_back(
      ReshapeStep{{s[0] / out, out, s[1] / inner, inner, s[2], s[3]}});
  steps.emplace_back(TransposeStep{{0, 2, 4, 5, 3, 1}});
  return steps;
}

}  // namespace assay::graph
