#include "compiler/graph/encoding/split_filters.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::graph {

absl::StatusOr<std::vector<EncodingStep>> SplitFilters::Steps(
    const ArrayType& plain) const {
  constexpr int64_t kFilters = 16, kChannels = 32, kFactors = 2;
  std::vector<EncodingStep> steps;
  Shape s = plain.shape;
  if (s.size() != 4 || plain.dtype != DType::Float32() ||
      s[0] % kFilters != 0 || (columns != 0 && columns != s[3])) {
    return absl::InvalidArgumentError(
        absl::StrCat("tiles of ", kFilters, " filters with ", columns,
                     " columns do not fit weights ", plain.dtype.ToString(),
                     ShapeToString(plain.shape)));
  }
  if (columns > 0) {
    steps.emplace_back(TransposeStep{{0, 3, 1, 2}});
    s = {s[0], s[3] * s[1], s[2], 1};
    steps.emplace_back(ReshapeStep{s});
  }
  const int64_t tiles = (s[1] + kChannels - 1) / kChannels;
  if (s[1] != tiles * kChannels) {
    s[1] = tiles * kChannels;
    steps.emplace_back(PadStep{s});
  }
  steps.emplace_back(SplitStep{});
  steps.emplace_back(ReshapeStep{{2, s[0] / kFilters, kFilters, tiles,
                                  kChannels / kFactors, kFactors, s[2], s[3]}});
  steps.emplace_back(TransposeStep{{1, 3, 6, 7, 0, 4, 2, 5}});
  return steps;
}

}  // namespace assay::graph
