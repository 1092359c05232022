// Attachment of stages to loops of other stages, and its validation.
#include <algorithm>

#include "compiler/schedule/schedule_state.h"
#include "runtime/base/status_macros.h"

namespace assay::schedule {
namespace {

// The index of the leaf of attach_stage at which the stage is computed.
int AttachPosition(const StageState& state) {
  return state.attach_stage->state().LeafIndex(state.attach_axis);
}

absl::Status ValidateAttachment(const ScheduleState& schedule,
                                const Stage& stage) {
  const StageState& state = stage.state();
  const Stage& host = *state.attach_stage;
  const int position = AttachPosition(state);
  if (IsInside(host, -1, stage, -1)) {
    return StageError(stage, "`", host.name(),
                      "` is itself computed inside of it");
  }
  const std::vector<const Stage*> readers = ReadersOf(schedule, state.tensors);
  if (readers.empty()) return StageError(stage, "it has no readers left");
  for (const Stage* reader : readers) {
    const int innermost = static_cast<int>(reader->state().leaves.size());
    if (!IsInside(*reader, innermost, host, position)) {
      return StageError(stage, "`", reader->name(),
                        "` reads it outside of axis `", state.attach_axis,
                        "` of `", host.name(), "` where it is computed; move `",
                        reader->name(), "` inside first");
    }
  }
  return absl::OkStatus();
}

// Checks that the memory of a local stage is not shared by the threads of a
// parallel loop inside of its lifetime.
absl::Status ValidateLocal(const Stage& parallel, int position,
                           const Stage& local) {
  const StageState& state = local.state();
  if (&parallel == &local ||
      IsInside(parallel, position - 1, *state.attach_stage,
               AttachPosition(state))) {
    return StageError(local, "is in local scope, but axis `",
                      parallel.state().leaves[position].axis.name, "` of `",
                      parallel.name(), "` inside of its lifetime is parallel");
  }
  return absl::OkStatus();
}

absl::Status ValidateParallelLoop(const ScheduleState& schedule,
                                  const Stage& stage, int position) {
  for (const auto& other : schedule.stages) {
    const StageState& state = other->state();
    if (state.placement == Placement::kInline) continue;
    if (state.scope == expr::Scope::kLocal) {
      ASSAY_RETURN_IF_ERROR(ValidateLocal(stage, position, *other));
    }
    for (size_t i = 0; i < state.leaves.size(); ++i) {
      const int outer = static_cast<int>(i);
      if (state.leaves[i].kind == LoopKind::kParallel &&
          !(other.get() == &stage && outer == position) &&
          IsInside(stage, position - 1, *other, outer)) {
        return StageError(
            stage, "parallel axis `", stage.state().leaves[position].axis.name,
            "` is inside of parallel axis `", state.leaves[i].axis.name,
            "` of `", other->name(), "`");
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<const Stage*> ReadersOf(const ScheduleState& schedule,
                                    const std::vector<te::Tensor>& tensors) {
  std::vector<const Stage*> readers;
  for (const auto& stage : schedule.stages) {
    if (stage->state().placement == Placement::kInline) continue;
    const std::vector<te::Tensor> inputs = stage->state().reads();
    const auto is_one = [&](const te::Tensor& input) {
      return std::any_of(
          tensors.begin(), tensors.end(),
          [&](const te::Tensor& tensor) { return tensor.same_as(input); });
    };
    if (std::any_of(inputs.begin(), inputs.end(), is_one)) {
      readers.push_back(stage.get());
    }
  }
  return readers;
}

bool IsInside(const Stage& stage, int position, const Stage& outer,
              int outer_position) {
  const Stage* current = &stage;
  // `position` is the innermost loop of `current` that encloses the point. A
  // chain of attachments longer than this has a cycle.
  for (int depth = 0; depth < 1000; ++depth) {
    if (current == &outer) return position >= outer_position;
    const StageState& state = current->state();
    if (state.placement != Placement::kAt) return false;
    position = AttachPosition(state);
    current = state.attach_stage;
  }
  return true;
}

const Stage* StageAttachedAt(const ScheduleState& schedule, const Stage& stage,
                             absl::string_view axis) {
  for (const auto& other : schedule.stages) {
    const StageState& state = other->state();
    if (state.placement == Placement::kAt && state.attach_stage == &stage &&
        (axis.empty() || state.attach_axis == axis)) {
      return other.get();
    }
  }
  return nullptr;
}

absl::Status ValidateAttachments(const ScheduleState& schedule) {
  for (const auto& stage : schedule.stages) {
    if (stage->state().placement == Placement::kAt) {
      ASSAY_RETURN_IF_ERROR(ValidateAttachment(schedule, *stage));
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateDoubleBuffer(const ScheduleState& schedule,
                                  const Stage& stage) {
  const StageState& state = stage.state();
  if (!state.has_double_buffer) return absl::OkStatus();
  if (state.placement != Placement::kAt) {
    return StageError(stage, "a double buffer is for a stage with compute_at");
  }
  const Stage& host = *state.attach_stage;
  const int position = AttachPosition(state);
  const Leaf& loop = host.state().leaves[position];
  if (loop.kind != LoopKind::kSerial || !loop.bind_tag.empty()) {
    return StageError(stage, "axis `", loop.axis.name, "` of `", host.name(),
                      "` where it is computed is not a serial loop");
  }
  for (const auto& part : schedule.stages) {
    if (!IsInside(*part, -1, stage, -1)) continue;
    for (const te::Tensor& read : part->state().reads()) {
      const Stage* producer = schedule.Find(read);
      if (producer == nullptr || IsInside(*producer, -1, stage, -1)) continue;
      if (IsInside(*producer, -1, host, position)) {
        return StageError(stage, "`", producer->name(),
                          "`, which it reads, is computed inside of axis `",
                          loop.axis.name, "` of `", host.name(),
                          "`, too late to load ahead");
      }
    }
  }
  return absl::OkStatus();
}

absl::Status ValidatePrefetches(const ScheduleState& schedule,
                                const Stage& stage) {
  const std::vector<Leaf>& leaves = stage.state().leaves;
  for (size_t i = 0; i < leaves.size(); ++i) {
    const int position = static_cast<int>(i);
    for (const LoopPrefetch& prefetch : leaves[i].prefetches) {
      const std::string name = schedule.NameOf(prefetch.tensor);
      const Stage* producer = schedule.Find(prefetch.tensor);
      if (producer != nullptr &&
          producer->state().placement == Placement::kInline) {
        return StageError(stage, "`", name,
                          "` was inlined, so it cannot be prefetched");
      }
      if (producer != nullptr && IsInside(*producer, -1, stage, position)) {
        return StageError(stage, "`", name, "` is computed inside of axis `",
                          leaves[i].axis.name,
                          "`, so it cannot be prefetched there");
      }
      bool is_read = false;
      for (const Stage* reader : ReadersOf(schedule, {prefetch.tensor})) {
        const int innermost = static_cast<int>(reader->state().leaves.size());
        is_read = is_read || IsInside(*reader, innermost, stage, position);
      }
      if (!is_read) {
        return StageError(stage, "nothing reads `", name, "` inside of axis `",
                          leaves[i].axis.name, "`");
      }
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateThreads(const ScheduleState& schedule) {
  for (const auto& stage : schedule.stages) {
    const StageState& state = stage->state();
    if (state.placement == Placement::kInline) continue;
    if (state.scope == expr::Scope::kLocal &&
        state.placement == Placement::kRoot) {
      return StageError(*stage,
                        "is in local scope, which only a stage with compute_at "
                        "can be");
    }
  }
  for (const auto& stage : schedule.stages) {
    const StageState& state = stage->state();
    if (state.placement == Placement::kInline) continue;
    for (size_t i = 0; i < state.leaves.size(); ++i) {
      if (state.leaves[i].kind != LoopKind::kParallel) continue;
      ASSAY_RETURN_IF_ERROR(
          ValidateParallelLoop(schedule, *stage, static_cast<int>(i)));
    }
  }
  return absl::OkStatus();
}

}  // namespace assay::schedule
