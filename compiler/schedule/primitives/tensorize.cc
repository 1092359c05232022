// The primitive that replaces loops by an intrinsic.
#include "compiler/schedule/match_intrin.h"
#include "compiler/schedule/primitives/primitive.h"
#include "runtime/base/status_macros.h"

namespace assay::schedule {

absl::Status Primitive::Apply(const Tensorize& s) {
  const auto found = schedule_.intrins.find(s.intrin);
  if (found == schedule_.intrins.end()) {
    return Error("there is no intrinsic `", s.intrin,
                 "`; add it with AddIntrin");
  }
  if (state_.intrin != nullptr) return Error("the stage has an intrinsic");
  ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(s.axis));
  for (size_t i = index; i < state_.leaves.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(PlainLeafAt(state_.leaves[i].axis.name).status());
  }
  const AxisExtents extents = ExtentsOf(state_, state_.tensor().shape());
  const auto match = MatchIntrin(state_, index, extents, *found->second);
  if (!match.ok()) {
    return Error("the loops from `", s.axis, "` inwards do not compute what `",
                 s.intrin, "` does: ", match.status().message());
  }
  state_.intrin = found->second;
  state_.intrin_axis = s.axis;
  return absl::OkStatus();
}

}  // namespace assay::schedule
