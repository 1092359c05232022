// What a Schedule owns, and the questions about it that primitives and the
// final validation ask. Private to compiler/schedule.
#ifndef ASSAY_COMPILER_SCHEDULE_SCHEDULE_STATE_H_
#define ASSAY_COMPILER_SCHEDULE_SCHEDULE_STATE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
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
  // What is read, by names that no stage has.
  std::vector<NamedTensor> placeholders;
  // Producers before consumers. Every primitive keeps that order: inlining
  // makes a consumer read what comes still earlier, cache_write and rfactor
  // insert the new stage right before the old one, cache_read inserts it right
  // after the tensor's, first for a placeholder.
  std::vector<std::unique_ptr<Stage>> stages;
  std::vector<Step> steps;
  absl::Status status;
  std::map<std::string, std::shared_ptr<const te::TensorIntrin>> intrins;

  // One of another declaration and the same name is a bug.
  void AddIntrin(std::shared_ptr<const te::TensorIntrin> intrin);

  Stage* Find(absl::string_view stage_name) const;
  // Of a state, the scan's.
  Stage* Find(const te::Tensor& tensor) const;
  // What a stage computes or a placeholder, or nullptr.
  const te::Tensor* FindTensor(absl::string_view name) const;
  // By what name FindTensor finds it; another schedule's is a bug.
  std::string NameOf(const te::Tensor& tensor) const;
  // Of all stages and placeholders.
  std::vector<std::string> Names() const;
};

// Letters, digits, `_` and `.`, at least one.
bool IsValidName(absl::string_view name);
// `hint` with other characters replaced, with a suffix if it is taken.
std::string UniqueName(absl::string_view hint,
                       const std::vector<std::string>& taken);

// A stage that computes `bodies` over the tensors' dimensions, at the root.
StageState MakeStageState(std::string name, std::vector<te::Tensor> tensors,
                          std::vector<expr::Expr> bodies);

// The stages whose bodies read one of `tensors`, inlined ones left out.
std::vector<const Stage*> ReadersOf(const ScheduleState& schedule,
                                    const std::vector<te::Tensor>& tensors);

// Whether a place inside of the loops of `stage` up to and including leaf
// `position` (-1: outside of all its loops) is also inside of leaf
// `outer_position` of `outer`. Attachments are followed outwards.
bool IsInside(const Stage& stage, int position, const Stage& outer,
              int outer_position);

// A stage that is computed at this axis, at any axis if it is empty, or
// nullptr.
const Stage* StageAttachedAt(const ScheduleState& schedule, const Stage& stage,
                             absl::string_view axis);

// Where a stage that has no compute_at is computed: at the root, or in the time
// of the scan whose state it depends on.
void PlaceAtHome(const ScheduleState& schedule, StageState& state);

// That what depends on the state of a scan is computed in its time, and what
// gives its first times before it.
absl::Status ValidateScans(const ScheduleState& schedule);

// That each stage with a compute_at is inside the nest of nothing it produces
// for, and that all its readers are within the loop it is computed at.
absl::Status ValidateAttachments(const ScheduleState& schedule);

// That the loop at which a double or rolling buffer is computed runs in order,
// through all its iterations, and that loading ahead reads nothing that this
// loop computes.
absl::Status ValidateBuffering(const ScheduleState& schedule,
                               const Stage& stage);

// Whether `tags` are of the kind that GPUs have: `threadIdx.x`, `blockIdx.z`.
bool IsThreadTag(absl::string_view tag);

// That loops ask ahead for tensors that are read inside of them and computed
// before.
absl::Status ValidatePrefetches(const ScheduleState& schedule,
                                const Stage& stage);

// The conditions of Schedule::Validate().
absl::Status ValidateThreads(const ScheduleState& schedule);

// Applies one step, filling in the names of its results in place.
absl::Status ApplyStep(ScheduleState& schedule, Step& step);

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_SCHEDULE_STATE_H_
