#include "compiler/ops/apply_config.h"

namespace assay::ops {

using schedule::Axis;
using schedule::Stage;

std::vector<Axis> ApplySplit(Stage& stage, const Axis& axis,
                             const std::vector<int64_t>& sizes,
                             schedule::Tail tail) {
  std::vector<Axis> result;
  Axis rest = axis;
  for (size_t i = 1; i < sizes.size(); ++i) {
    int64_t product = 1;
    for (size_t j = i; j < sizes.size(); ++j) product *= sizes[j];
    // Only the outermost split can have a tail: the others divide its factor.
    const auto [outer, inner] = stage.Split(
        rest, product, i == 1 ? tail : schedule::Tail::kGuardWithIf);
    result.push_back(outer);
    rest = inner;
  }
  result.push_back(rest);
  return result;
}

}  // namespace assay::ops
