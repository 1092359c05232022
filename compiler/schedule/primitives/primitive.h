// Implements the schedule primitives: their legality checks and their effects.
// A primitive that returns an error does not change the schedule. The
// primitives are defined in loops.cc, placement.cc, stages.cc (primitives that
// create stages), memory.cc and tensorize.cc.
#ifndef ASSAY_COMPILER_SCHEDULE_PRIMITIVES_PRIMITIVE_H_
#define ASSAY_COMPILER_SCHEDULE_PRIMITIVES_PRIMITIVE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compiler/schedule/schedule_state.h"

namespace assay::schedule {

// Returns InvalidArgument with a message that contains the step and the reason,
// for example "illegal `conv.split(ow, 0)`: the factor must be positive".
template <typename... Parts>
absl::Status Illegal(const Step& step, const Parts&... reason) {
  return absl::InvalidArgumentError(
      absl::StrCat("illegal `", ToString(step), "`: ", reason...));
}

// Checks that every stage is computed at a legal place (ValidateAttachments).
// Otherwise returns Illegal(step, reason).
absl::Status CheckAttachments(const ScheduleState& schedule, const Step& step);

// Applies a step to a stage.
class Primitive {
 public:
  Primitive(ScheduleState& schedule, const Step& step, Stage& stage)
      : schedule_(schedule),
        step_(step),
        stage_(stage),
        state_(stage.mutable_state()) {}

  // Each function checks and applies one kind of step. If the parameter `s` is
  // not const, the step contains names for the axes or stages that it creates.
  // If such a name is empty, the function stores a default name in `s`.
  absl::Status Apply(Split& s);
  absl::Status Apply(SplitParts& s);
  absl::Status Apply(Fuse& s);
  absl::Status Apply(const Reorder& s);
  absl::Status Apply(const Vectorize& s);
  absl::Status Apply(const Unroll& s);
  absl::Status Apply(const Parallel& s);
  absl::Status Apply(const Bind& s);
  absl::Status Apply(const EnvThreads& s);
  absl::Status Apply(const StorePredicate& s);
  absl::Status Apply(const Prefetch& s);
  absl::Status Apply(const Tensorize& s);
  absl::Status Apply(const Pragma& s);
  absl::Status Apply(const ComputeAt& s);
  absl::Status Apply(const ComputeInline& s);
  absl::Status Apply(CacheWrite& s);
  absl::Status Apply(RFactor& s);
  absl::Status Apply(const SetScope& s);
  absl::Status Apply(const StorageAlign& s);
  absl::Status Apply(const DoubleBuffer&);
  absl::Status Apply(const TransformLayout& s);

 private:
  template <typename... Parts>
  absl::Status Error(const Parts&... reason) const {
    return Illegal(step_, reason...);
  }
  // Returns the index of leaf `axis` (stage.h), or an error that says why
  // `axis` is not a leaf or cannot be scheduled.
  absl::StatusOr<int> LeafAt(const std::string& axis) const;
  // Returns the index of leaf `axis`, which a primitive is going to replace.
  // Returns an error if the leaf has annotations, pragmas or prefetches, or
  // if another stage is computed at it.
  absl::StatusOr<int> PlainLeafAt(const std::string& axis) const;
  // If `*name` is empty, sets it to a name derived from `hint` that no axis of
  // the stage has. If `*name` is not empty, returns an error if it is not a
  // valid name or if an axis of the stage already has it.
  absl::Status NameAxis(absl::string_view hint, std::string* name) const;
  // Returns the names of all axes, including axes that were split or fused.
  std::vector<std::string> AxisNames() const;
  template <typename Step>
  absl::Status SplitLeaf(Step& s, int64_t factor, int64_t parts);
  absl::Status Annotate(const std::string& axis, LoopKind kind);
  absl::Status CheckAttachments() const {
    return schedule::CheckAttachments(schedule_, step_);
  }
  // Returns true if an earlier step was applied to this stage or computes
  // another stage at it.
  bool HasSteps() const;
  // Returns the error message for changing the order of a reduction over `axis`
  // whose reducer is not associative and commutative.
  std::string OrderMatters(absl::string_view axis) const;
  // Returns the dimension of the tensor whose original axis is `axis`, or an
  // error if there is none.
  absl::StatusOr<int> DimensionOf(const std::string& axis) const;
  // Inserts a stage before `stage_` in the list of stages.
  void InsertBefore(StageState state);

  ScheduleState& schedule_;
  const Step& step_;
  Stage& stage_;
  StageState& state_;
};

// Creates a cached copy of a tensor. This function is not a member of Primitive
// because the tensor may be a placeholder, which has no stage.
absl::Status ApplyCacheRead(ScheduleState& schedule, const Step& step,
                            CacheRead& s);

// Determines the name of the stage that `step` creates. If `*name` is empty,
// sets it to an unused name derived from `hint`. If `*name` is not empty,
// returns an error if it is not a valid name or is already used.
absl::Status NameStage(const ScheduleState& schedule, const Step& step,
                       absl::string_view hint, std::string* name);
// Returns the default name of a cache of tensor `tensor` in `scope`, for
// example `x.local` or `x.global`.
std::string CacheName(absl::string_view tensor, expr::Scope scope);

// Removes the stage called `name`, which must exist.
void EraseStage(ScheduleState& schedule, absl::string_view name);

// Returns the name of a loop kind for error messages.
const char* KindName(LoopKind kind);

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_PRIMITIVES_PRIMITIVE_H_
