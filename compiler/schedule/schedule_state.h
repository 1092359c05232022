// The data of a Schedule, and the queries and validations on it that primitives
// use. Private to compiler/schedule.
#ifndef ASSAY_COMPILER_SCHEDULE_SCHEDULE_STATE_H_
#define ASSAY_COMPILER_SCHEDULE_SCHEDULE_STATE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compiler/schedule/stage.h"
#include "compiler/schedule/steps.h"

namespace assay::schedule {

struct NamedTensor {
  std::string name;
  te::Tensor tensor;
};

struct ScheduleState {
  std::vector<te::Tensor> outputs;
  // Tensors that are read but not computed, under names distinct from stage
  // names.
  std::vector<NamedTensor> placeholders;
  // Producers before consumers. Every primitive maintains this order: inlining
  // makes a consumer read tensors that come even earlier, cache_write and
  // rfactor insert the new stage directly before the old one, and cache_read
  // inserts it directly after the tensor's stage, or first for a placeholder.
  std::vector<std::unique_ptr<Stage>> stages;
  std::vector<Step> steps;
  absl::Status status;
  std::map<std::string, std::shared_ptr<const te::TensorIntrin>> intrins;

  // See Schedule::AddIntrin.
  void AddIntrin(std::shared_ptr<const te::TensorIntrin> intrin);

  Stage* Find(absl::string_view stage_name) const;
  // The stage that computes the tensor; for a state, its scan.
  Stage* Find(const te::Tensor& tensor) const;
  // The first tensor of a stage, or a placeholder; nullptr if there is none.
  const te::Tensor* FindTensor(absl::string_view name) const;
  // The name by which FindTensor finds it; CHECK-fails for other schedules'
  // tensors.
  std::string NameOf(const te::Tensor& tensor) const;
  // Names of all stages and placeholders.
  std::vector<std::string> Names() const;
};

// Non-empty, and only letters, digits, `_` and `.`.
bool IsValidName(absl::string_view name);
// `hint` with invalid characters replaced, and with a suffix if it is taken.
std::string UniqueName(absl::string_view hint,
                       const std::vector<std::string>& taken);

// A stage at root that computes `bodies` over the dimensions of the tensors.
StageState MakeStageState(std::string name, std::vector<te::Tensor> tensors,
                          std::vector<expr::Expr> bodies);

// The stages, except for inlined ones, whose bodies read one of `tensors`.
std::vector<const Stage*> ReadersOf(const ScheduleState& schedule,
                                    const std::vector<te::Tensor>& tensors);

// Returns true if the point inside of the loops of `stage` up to and including
// leaf `position` (-1: outside of all its loops) is also inside of leaf
// `outer_position` of `outer`. Follows attachments outwards.
bool IsInside(const Stage& stage, int position, const Stage& outer,
              int outer_position);

// A stage that is computed at this axis, or at any axis if it is empty; nullptr
// if there is none.
const Stage* StageAttachedAt(const ScheduleState& schedule, const Stage& stage,
                             absl::string_view axis);

// Sets the default placement of a stage without compute_at: at root, or inside
// of the time loop of the scan on whose state it depends.
void PlaceByDefault(const ScheduleState& schedule, StageState& state);

// Checks that stages that depend on the state of a scan are computed inside of
// its time loop, and that its initial values are computed before it.
absl::Status ValidateScans(const ScheduleState& schedule);

// Checks that no attached stage contains the stage it is attached to, and that
// all readers of an attached stage are inside of the loop it is computed at.
absl::Status ValidateAttachments(const ScheduleState& schedule);

// Checks that the loop at which a double or rolling buffer is computed is
// serial and executes all its iterations, and that a double buffer reads
// nothing that this loop computes.
absl::Status ValidateBuffering(const ScheduleState& schedule,
                               const Stage& stage);

// Returns true for GPU thread tags such as `threadIdx.x` and `blockIdx.z`.
bool IsThreadTag(absl::string_view tag);

// Checks that prefetched tensors are read inside of the loop and computed
// before it.
absl::Status ValidatePrefetches(const ScheduleState& schedule,
                                const Stage& stage);

// Checks the rules for parallel loops and local memory of Schedule::Validate().
absl::Status ValidateThreads(const ScheduleState& schedule);

// An error of Validate: the parts of the message, after the name of the stage.
template <typename... Parts>
absl::Status StageError(const Stage& stage, const Parts&... message) {
  return absl::InvalidArgumentError(
      absl::StrCat("stage `", stage.name(), "`: ", message...));
}

// Applies one step and fills in the names of its results.
absl::Status ApplyStep(ScheduleState& schedule, Step& step);

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_SCHEDULE_STATE_H_
