// ScheduleState: the data of a Schedule, with the queries and checks that the
// schedule primitives use. Private to compiler/schedule.
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
  // The placeholders that the stages read. Their names differ from the names of
  // all stages.
  std::vector<NamedTensor> placeholders;
  // Producers precede consumers. Every primitive maintains this order:
  //   - compute_inline replaces reads of a producer by reads of tensors that
  //     precede the producer.
  //   - cache_write and rfactor insert the new stage directly before the stage
  //     to which they are applied.
  //   - cache_read inserts the new stage directly after the stage of the
  //     cached tensor, or at the front if the cached tensor is a placeholder.
  std::vector<std::unique_ptr<Stage>> stages;
  std::vector<Step> steps;
  absl::Status status;
  std::map<std::string, std::shared_ptr<const te::TensorIntrin>> intrins;

  // See Schedule::AddIntrin.
  void AddIntrin(std::shared_ptr<const te::TensorIntrin> intrin);

  // Each Find function returns nullptr if there is no match.
  Stage* Find(absl::string_view stage_name) const;
  // Returns the stage that computes `tensor`.
  Stage* Find(const te::Tensor& tensor) const;
  // Returns the placeholder or the stage output that is called `name`. A single
  // output has the name of its stage. If a stage `best` has several outputs,
  // their names are `best.0`, `best.1`, …
  const te::Tensor* FindTensor(absl::string_view name) const;
  // Returns the name for which FindTensor returns `tensor`. CHECK-fails if
  // `tensor` does not belong to this schedule.
  std::string NameOf(const te::Tensor& tensor) const;
  // Returns the names of all stages, of their outputs and of all placeholders.
  std::vector<std::string> Names() const;
};

// Returns true if `name` is not empty and contains only letters, digits, `_`
// and `.`.
bool IsValidName(absl::string_view name);
// Returns `hint` with invalid characters replaced by `_`. If the result is in
// `taken`, appends a numeric suffix that makes it unique.
std::string UniqueName(absl::string_view hint,
                       const std::vector<std::string>& taken);

// Creates a stage at root that computes `bodies`, one per tensor. Its leaves
// are the dimensions of the tensors, followed by the reduce axes of the bodies.
StageState MakeStageState(std::string name, std::vector<te::Tensor> tensors,
                          std::vector<expr::Expr> bodies);

// Returns the stages whose bodies read one of `tensors`. Inlined stages are not
// included.
std::vector<const Stage*> ReadersOf(const ScheduleState& schedule,
                                    const std::vector<te::Tensor>& tensors);

// Let P be the point directly inside the loop of leaf `position` of `stage`, or
// the point outside all loops of `stage` if `position` is -1. Returns true if
// the loop of leaf `outer_position` of `outer` encloses P. Follows compute_at
// from `stage` to the stages that enclose it.
bool IsInside(const Stage& stage, int position, const Stage& outer,
              int outer_position);

// Returns a stage that is computed at axis `axis` of `stage`, or nullptr if
// there is none. An empty `axis` matches all axes of `stage`.
const Stage* StageAttachedAt(const ScheduleState& schedule, const Stage& stage,
                             absl::string_view axis);

// Checks for each stage S that is computed at a loop of a stage T:
//   - T is not itself computed inside S.
//   - S has readers, and all of them are inside that loop of T.
absl::Status ValidateAttachments(const ScheduleState& schedule);

// If `stage` has a double buffer, checks that:
//   - `stage` is computed at a loop (compute_at), and the loop is serial;
//   - no input of `stage` is computed inside the loop.
absl::Status ValidateDoubleBuffer(const ScheduleState& schedule,
                                  const Stage& stage);

// Returns true for GPU thread tags such as `threadIdx.x` and `blockIdx.z`.
bool IsThreadTag(absl::string_view tag);

// Checks for each prefetch of `stage` that the tensor is read inside the loop
// of the prefetch, is not computed inside that loop, and is not inlined.
absl::Status ValidatePrefetches(const ScheduleState& schedule,
                                const Stage& stage);

// Checks the conditions of Schedule::Validate() on parallel loops and local
// memory. In addition, a stage in local memory must not be at root.
absl::Status ValidateThreads(const ScheduleState& schedule);

// Returns InvalidArgument with the name of the stage, followed by `message`.
template <typename... Parts>
absl::Status StageError(const Stage& stage, const Parts&... message) {
  return absl::InvalidArgumentError(
      absl::StrCat("stage `", stage.name(), "`: ", message...));
}

// Applies one step. Replaces empty result names in `step` by default names. If
// the step is illegal, returns an error and does not change the schedule.
absl::Status ApplyStep(ScheduleState& schedule, Step& step);

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_SCHEDULE_STATE_H_
