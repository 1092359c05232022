#include "compiler/schedule/stage.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/schedule/schedule_state.h"
#include "runtime/base/check.h"

namespace assay::schedule {

int StageState::LeafIndex(absl::string_view axis_name) const {
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].axis.name == axis_name) return static_cast<int>(i);
  }
  return -1;
}

int StageState::IntrinPosition() const {
  return intrin == nullptr ? static_cast<int>(leaves.size())
                           : LeafIndex(intrin_axis);
}

std::string StageState::TensorName(int i) const {
  return tensors.size() == 1 ? name : absl::StrCat(name, ".", i);
}

std::vector<te::Tensor> StageState::reads() const {
  return is_extern() ? te::InputsOf(tensor()) : te::TensorsRead(bodies);
}

const Axis& Stage::axis(int i) const {
  CHECK(i >= 0 && i < static_cast<int>(state_.data_axes.size()))
      << "axis " << i << " of stage `" << name() << "`";
  return state_.data_axes[i];
}

const Axis& Stage::reduce_axis(int i) const {
  CHECK(i >= 0 && i < static_cast<int>(state_.reduce_axes.size()))
      << "reduce axis " << i << " of stage `" << name() << "`";
  return state_.reduce_axes[i];
}

std::vector<Axis> Stage::leaves() const {
  std::vector<Axis> axes;
  for (const Leaf& leaf : state_.leaves) axes.push_back(leaf.axis);
  return axes;
}

bool Stage::Usable(const Axis& axis) {
  if (!schedule_->status.ok()) return false;
  const int index = state_.LeafIndex(axis.name);
  // If it is not a leaf, the primitive reports the error.
  if (index < 0 || state_.leaves[index].axis.var.same_as(axis.var)) return true;
  schedule_->status = absl::InvalidArgumentError(
      absl::StrCat("axis `", axis.name, "` passed to stage `", name(),
                   "` belongs to another stage"));
  return false;
}

void Stage::ApplyOrRecord(const Step& step) {
  if (!schedule_->status.ok()) return;
  Step named = step;
  schedule_->status = ApplyStep(*schedule_, named);
  if (schedule_->status.ok()) schedule_->steps.push_back(std::move(named));
}

std::pair<Axis, Axis> Stage::Split(const Axis& axis, int64_t factor,
                                   Tail tail) {
  if (!Usable(axis)) return {axis, axis};
  ApplyOrRecord(schedule::Split{name(), axis.name, factor, tail, "", ""});
  if (!schedule_->status.ok()) return {axis, axis};
  const auto& relation = std::get<SplitRelation>(state_.relations.back());
  return {relation.outer, relation.inner};
}

std::pair<Axis, Axis> Stage::SplitParts(const Axis& axis, int64_t parts,
                                        Tail tail) {
  if (!Usable(axis)) return {axis, axis};
  ApplyOrRecord(schedule::SplitParts{name(), axis.name, parts, tail, "", ""});
  if (!schedule_->status.ok()) return {axis, axis};
  const auto& relation = std::get<SplitRelation>(state_.relations.back());
  return {relation.outer, relation.inner};
}

Axis Stage::Fuse(const Axis& outer, const Axis& inner) {
  if (!Usable(outer) || !Usable(inner)) return outer;
  ApplyOrRecord(schedule::Fuse{name(), outer.name, inner.name, ""});
  if (!schedule_->status.ok()) return outer;
  return std::get<FuseRelation>(state_.relations.back()).fused;
}

Axis Stage::Fuse(const std::vector<Axis>& axes) {
  CHECK(!axes.empty()) << "nothing to fuse in stage `" << name() << "`";
  Axis fused = axes[0];
  for (size_t i = 1; i < axes.size(); ++i) fused = Fuse(fused, axes[i]);
  return fused;
}

Stage& Stage::Reorder(const std::vector<Axis>& axes) {
  schedule::Reorder step{name(), {}};
  for (const Axis& axis : axes) {
    if (!Usable(axis)) return *this;
    step.axes.push_back(axis.name);
  }
  ApplyOrRecord(step);
  return *this;
}

std::array<Axis, 4> Stage::Tile(const Axis& x, const Axis& y, int64_t x_factor,
                                int64_t y_factor) {
  const auto [x_o, x_i] = Split(x, x_factor);
  const auto [y_o, y_i] = Split(y, y_factor);
  Reorder({x_o, y_o, x_i, y_i});
  return {x_o, y_o, x_i, y_i};
}

Stage& Stage::Vectorize(const Axis& axis) {
  if (Usable(axis)) ApplyOrRecord(schedule::Vectorize{name(), axis.name});
  return *this;
}

Stage& Stage::Unroll(const Axis& axis) {
  if (Usable(axis)) ApplyOrRecord(schedule::Unroll{name(), axis.name});
  return *this;
}

Stage& Stage::Parallel(const Axis& axis) {
  if (Usable(axis)) ApplyOrRecord(schedule::Parallel{name(), axis.name});
  return *this;
}

Stage& Stage::Bind(const Axis& axis, std::string tag) {
  if (Usable(axis)) {
    ApplyOrRecord(schedule::Bind{name(), axis.name, std::move(tag)});
  }
  return *this;
}

Stage& Stage::EnvThreads(std::vector<std::string> tags) {
  ApplyOrRecord(schedule::EnvThreads{name(), std::move(tags)});
  return *this;
}

Stage& Stage::StorePredicate(std::string thread, int64_t value) {
  ApplyOrRecord(schedule::StorePredicate{name(), std::move(thread), value});
  return *this;
}

Stage& Stage::Prefetch(const te::Tensor& tensor, const Axis& axis,
                       int64_t offset) {
  if (!Usable(axis)) return *this;
  ApplyOrRecord(
      schedule::Prefetch{name(), schedule_->NameOf(tensor), axis.name, offset});
  return *this;
}

Stage& Stage::Tensorize(const Axis& axis,
                        std::shared_ptr<const te::TensorIntrin> intrin) {
  if (!Usable(axis)) return *this;
  const std::string intrin_name = intrin->name;
  schedule_->AddIntrin(std::move(intrin));
  ApplyOrRecord(schedule::Tensorize{name(), axis.name, intrin_name});
  return *this;
}

Stage& Stage::Pragma(const Axis& axis, std::string key, int64_t value) {
  if (Usable(axis)) {
    ApplyOrRecord(schedule::Pragma{name(), axis.name, std::move(key), value});
  }
  return *this;
}

Stage& Stage::ComputeAt(const Stage& consumer, const Axis& axis) {
  CHECK(consumer.schedule_ == schedule_)
      << "`" << consumer.name() << "` belongs to another schedule";
  if (schedule_->Find(consumer.name())->Usable(axis)) {
    ApplyOrRecord(schedule::ComputeAt{name(), consumer.name(), axis.name});
  }
  return *this;
}

Stage& Stage::ComputeInline() {
  ApplyOrRecord(schedule::ComputeInline{name()});
  return *this;
}

Stage& Stage::SetScope(expr::Scope scope) {
  ApplyOrRecord(schedule::SetScope{name(), scope});
  return *this;
}

Stage& Stage::StorageAlign(const Axis& axis, int64_t factor, int64_t offset) {
  ApplyOrRecord(schedule::StorageAlign{name(), axis.name, factor, offset});
  return *this;
}

Stage& Stage::DoubleBuffer() {
  ApplyOrRecord(schedule::DoubleBuffer{name()});
  return *this;
}

Stage& Stage::TransformLayout(const std::vector<LayoutPart>& parts) {
  ApplyOrRecord(schedule::TransformLayout{name(), parts});
  return *this;
}

}  // namespace assay::schedule
