#include "compiler/schedule/primitives/primitive.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::schedule {

const char* KindName(LoopKind kind) {
  switch (kind) {
    case LoopKind::kSerial:
      return "serial";
    case LoopKind::kParallel:
      return "parallel";
    case LoopKind::kVectorized:
      return "vectorized";
    case LoopKind::kUnrolled:
      return "unrolled";
  }
  return "";
}

std::vector<std::string> Primitive::AxisNames() const {
  std::vector<std::string> names;
  for (const Leaf& leaf : state_.leaves) names.push_back(leaf.axis.name);
  for (const Relation& relation : state_.relations) {
    if (const auto* split = std::get_if<SplitRelation>(&relation)) {
      names.push_back(split->parent.name);
    } else {
      names.push_back(std::get<FuseRelation>(relation).outer.name);
      names.push_back(std::get<FuseRelation>(relation).inner.name);
    }
  }
  return names;
}

absl::StatusOr<int> Primitive::LeafAt(const std::string& axis) const {
  const int index = state_.LeafIndex(axis);
  if (index >= state_.IntrinPosition()) {
    return Error("`", axis, "` is part of what `", state_.intrin->name,
                 "` computes");
  }
  if (index >= 0) return index;
  const std::vector<std::string> names = AxisNames();
  const bool replaced =
      std::find(names.begin(), names.end(), axis) != names.end();
  return Error(
      "`", axis, "` ",
      replaced ? "was split or fused before" : "is not an axis of the stage");
}

absl::StatusOr<int> Primitive::PlainLeafAt(const std::string& axis) const {
  ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(axis));
  const Leaf& leaf = state_.leaves[index];
  if (leaf.kind != LoopKind::kSerial) {
    return Error("`", axis, "` is ", KindName(leaf.kind), " already");
  }
  if (!leaf.bind_tag.empty() || !leaf.pragmas.empty() ||
      !leaf.prefetches.empty()) {
    return Error("`", axis, "` is bound or has a pragma or prefetch");
  }
  if (const Stage* other = StageAttachedAt(schedule_, stage_, axis)) {
    return Error("`", other->name(), "` is computed at `", axis, "`");
  }
  return index;
}

absl::Status Primitive::NameAxis(absl::string_view hint,
                                 std::string* name) const {
  const std::vector<std::string> taken = AxisNames();
  if (name->empty()) {
    *name = UniqueName(hint, taken);
    return absl::OkStatus();
  }
  if (!IsValidName(*name)) {
    return Error("`", *name, "` is not a valid name");
  }
  if (std::find(taken.begin(), taken.end(), *name) != taken.end()) {
    return Error("the stage has an axis `", *name, "` already");
  }
  return absl::OkStatus();
}

absl::Status CheckAttachments(const ScheduleState& schedule, const Step& step) {
  const absl::Status status = ValidateAttachments(schedule);
  return status.ok() ? status : Illegal(step, status.message());
}

std::string Primitive::OrderMatters(absl::string_view axis) const {
  return absl::StrCat("the order in which `", axis,
                      "` is combined must stay: reducer `",
                      state_.reduce()->reducer->name,
                      "` is not declared associative and commutative");
}

bool Primitive::HasSteps() const {
  for (const Step& step : schedule_.steps) {
    if (StageOf(step) == stage_.name()) return true;
    const auto* at = std::get_if<ComputeAt>(&step);
    if (at != nullptr && at->consumer == stage_.name()) return true;
  }
  return false;
}

absl::Status NameStage(const ScheduleState& schedule, const Step& step,
                       absl::string_view hint, std::string* name) {
  const std::vector<std::string> taken = schedule.Names();
  if (name->empty()) {
    *name = UniqueName(hint, taken);
    return absl::OkStatus();
  }
  if (IsValidName(*name) &&
      std::find(taken.begin(), taken.end(), *name) == taken.end()) {
    return absl::OkStatus();
  }
  return Illegal(step, "`", *name, "` is taken or not a valid name");
}

void Primitive::InsertBefore(StageState state) {
  const auto here = std::find_if(
      schedule_.stages.begin(), schedule_.stages.end(),
      [&](const std::unique_ptr<Stage>& p) { return p.get() == &stage_; });
  schedule_.stages.insert(
      here, std::make_unique<Stage>(&schedule_, std::move(state)));
}

void EraseStage(ScheduleState& schedule, absl::string_view name) {
  schedule.stages.erase(std::find_if(
      schedule.stages.begin(), schedule.stages.end(),
      [&](const std::unique_ptr<Stage>& p) { return p->name() == name; }));
}

absl::Status ApplyStep(ScheduleState& schedule, Step& step) {
  const Step as_given = step;
  if (auto* cache_read = std::get_if<CacheRead>(&step)) {
    return ApplyCacheRead(schedule, as_given, *cache_read);
  }
  Stage* stage = schedule.Find(StageOf(step));
  if (stage == nullptr) {
    return Illegal(as_given, "there is no stage `", StageOf(step), "`");
  }
  if (stage->state().placement == Placement::kInline) {
    return Illegal(as_given, "stage `", stage->name(), "` was inlined before");
  }
  Primitive primitive(schedule, as_given, *stage);
  const auto apply = [&](auto& s) -> absl::Status {
    if constexpr (std::is_same_v<std::decay_t<decltype(s)>, CacheRead>) {
      return absl::OkStatus();  // handled above
    } else {
      return primitive.Apply(s);
    }
  };
  return std::visit(apply, step);
}

}  // namespace assay::schedule
