// The primitives: for each, what is legal and what it changes. A primitive that
// returns an error has changed nothing. One file per group: loops.cc,
// placement.cc, stages.cc (those that make stages), memory.cc.
#ifndef ASSAY_COMPILER_SCHEDULE_PRIMITIVES_PRIMITIVE_H_
#define ASSAY_COMPILER_SCHEDULE_PRIMITIVES_PRIMITIVE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/schedule/schedule_state.h"

namespace assay::schedule {

// `illegal `conv.split(ow, 0)`: the factor must be positive`.
absl::Status Illegal(const Step& step, absl::string_view reason);

// The schedule's attachments, as an error of `step`.
absl::Status CheckAttachments(const ScheduleState& schedule, const Step& step);

// Everything that the primitives ask and do, for one step on one stage.
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
  absl::Status Error(absl::string_view reason) const {
    return Illegal(step_, reason);
  }
  // The position of a leaf, or an error that says what else the name is.
  absl::StatusOr<int> LeafAt(const std::string& axis) const;
  // The same for a leaf about to be replaced: it must be a plain loop at which
  // nothing is computed.
  absl::StatusOr<int> PlainLeafAt(const std::string& axis) const;
  // That the leaf is not the time of a scan.
  absl::Status CheckNoTime(int leaf) const;
  // Gives `*name` the default if it is empty, or checks that it is free.
  absl::Status NameAxis(absl::string_view hint, std::string* name) const;
  std::vector<std::string> AxisNames() const;
  template <typename Step>
  absl::Status SplitLeaf(Step& s, int64_t factor, int64_t parts);
  absl::Status Annotate(const std::string& axis, LoopKind kind);
  absl::Status CheckAttachments() const {
    return schedule::CheckAttachments(schedule_, step_);
  }
  bool HasSteps() const;
  // Why a reduction over `axis` must keep its order.
  std::string OrderMatters(absl::string_view axis) const;
  // The dimension of the tensor that `axis` was before any primitive.
  absl::StatusOr<int> DimensionOf(const std::string& axis) const;
  absl::Status SetBuffering(Buffering buffering);
  // Puts a stage before this one.
  void InsertBefore(StageState state);

  ScheduleState& schedule_;
  const Step& step_;
  Stage& stage_;
  StageState& state_;
};

// The copy of a tensor, which may be a placeholder: the one primitive that does
// not work on a stage.
absl::Status ApplyCacheRead(ScheduleState& schedule, const Step& step,
                            CacheRead& s);

// Gives the stage that `step` makes the default name if `*name` is empty, or
// checks that it is free.
absl::Status NameStage(const ScheduleState& schedule, const Step& step,
                       absl::string_view hint, std::string* name);
// `x.local` or `x.global`.
std::string CacheName(absl::string_view tensor, expr::Scope scope);

void EraseStage(ScheduleState& schedule, absl::string_view name);

// What a loop of this kind is called in an error.
const char* KindName(LoopKind kind);

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_PRIMITIVES_PRIMITIVE_H_
