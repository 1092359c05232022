// The primitives: legality checks and effects. A primitive that returns an
// error has not changed anything. One file per group: loops.cc, placement.cc,
// stages.cc (primitives that create stages), memory.cc, tensorize.cc.
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

// `illegal `conv.split(ow, 0)`: the factor must be positive`.
template <typename... Parts>
absl::Status Illegal(const Step& step, const Parts&... reason) {
  return absl::InvalidArgumentError(
      absl::StrCat("illegal `", ToString(step), "`: ", reason...));
}

// Validates the attachments of the schedule; violations are errors of `step`.
absl::Status CheckAttachments(const ScheduleState& schedule, const Step& step);

// Implementation of one step on one stage.
class Primitive {
 public:
  Primitive(ScheduleState& schedule, const Step& step, Stage& stage)
      : schedule_(schedule),
        step_(step),
        stage_(stage),
        state_(stage.mutable_state()) {}

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
  absl::Status Apply(const ComputeRoot&);
  absl::Status Apply(CacheWrite& s);
  absl::Status Apply(RFactor& s);
  absl::Status Apply(const SetScope& s);
  absl::Status Apply(const StorageAlign& s);
  absl::Status Apply(const DoubleBuffer&);
  absl::Status Apply(const RollingBuffer&);
  absl::Status Apply(const TransformLayout& s);

 private:
  template <typename... Parts>
  absl::Status Error(const Parts&... reason) const {
    return Illegal(step_, reason...);
  }
  // The index of a leaf, or an error that says why `axis` is not a leaf.
  absl::StatusOr<int> LeafAt(const std::string& axis) const;
  // The same for a leaf that is about to be replaced: it must have no
  // annotations, and no stage may be computed at it.
  absl::StatusOr<int> PlainLeafAt(const std::string& axis) const;
  // Checks that the leaf is not the time loop of a scan.
  absl::Status CheckNoTime(int leaf) const;
  // Sets `*name` to the default name if it is empty; otherwise checks that it
  // is unused.
  absl::Status NameAxis(absl::string_view hint, std::string* name) const;
  std::vector<std::string> AxisNames() const;
  template <typename Step>
  absl::Status SplitLeaf(Step& s, int64_t factor, int64_t parts);
  absl::Status Annotate(const std::string& axis, LoopKind kind);
  absl::Status CheckAttachments() const {
    return schedule::CheckAttachments(schedule_, step_);
  }
  bool HasSteps() const;
  // The error message for a reduction over `axis` that must not be reordered.
  std::string OrderMatters(absl::string_view axis) const;
  // The dimension of the tensor whose original axis is `axis`.
  absl::StatusOr<int> DimensionOf(const std::string& axis) const;
  absl::Status SetBuffering(Buffering buffering);
  // Inserts a stage before this one.
  void InsertBefore(StageState state);

  ScheduleState& schedule_;
  const Step& step_;
  Stage& stage_;
  StageState& state_;
};

// Creates a cached copy of a tensor, which may be a placeholder. The only
// primitive that need not apply to a stage.
absl::Status ApplyCacheRead(ScheduleState& schedule, const Step& step,
                            CacheRead& s);

// Sets the name of the stage that `step` creates to the default name if `*name`
// is empty; otherwise checks that it is unused.
absl::Status NameStage(const ScheduleState& schedule, const Step& step,
                       absl::string_view hint, std::string* name);
// `x.local` or `x.global`.
std::string CacheName(absl::string_view tensor, expr::Scope scope);

void EraseStage(ScheduleState& schedule, absl::string_view name);

// The name of the loop kind in error messages.
const char* KindName(LoopKind kind);

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_PRIMITIVES_PRIMITIVE_H_
