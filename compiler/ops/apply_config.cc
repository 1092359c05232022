#include "compiler/ops/apply_config.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

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

std::vector<Axis> ApplyReorder(Stage& stage, const std::vector<Axis>& axes,
                               const std::vector<int64_t>& order) {
  CHECK_EQ(axes.size(), order.size()) << stage.name();
  std::vector<Axis> result;
  for (int64_t i : order) result.push_back(axes[i]);
  stage.Reorder(result);
  return result;
}

absl::Status ApplyAnnotate(Stage& stage, const std::vector<Axis>& axes,
                           const std::vector<Annotation>& annotations,
                           int64_t max_unroll) {
  CHECK_EQ(axes.size(), annotations.size()) << stage.name();
  int64_t copies = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (annotations[i] != Annotation::kUnroll) continue;
    copies *= axes[i].extent;
    if (copies <= max_unroll) continue;
    return absl::ResourceExhaustedError(absl::StrCat(
        "stage `", stage.name(), "`: unrolling axis `", axes[i].name,
        "` makes ", copies, " copies; at most ", max_unroll, " are allowed"));
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    if (annotations[i] == Annotation::kUnroll) stage.Unroll(axes[i]);
    if (annotations[i] == Annotation::kVectorize) stage.Vectorize(axes[i]);
  }
  return absl::OkStatus();
}

}  // namespace assay::ops
