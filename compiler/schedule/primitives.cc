// The primitives: for each, what is legal and what it changes. A primitive that
// returns an error has changed nothing.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "compiler/expr/substitute.h"
#include "compiler/expr/visitor.h"
#include "compiler/schedule/schedule_state.h"
#include "runtime/base/status_macros.h"

namespace assay::schedule {
namespace {

using expr::Expr;
using expr::VarMap;

// `conv.split(ow, 0): the factor must be positive`.
absl::Status Illegal(const Step& step, absl::string_view reason) {
  return absl::InvalidArgumentError(
      absl::StrCat("illegal `", ToString(step), "`: ", reason));
}

// Everything that the primitives ask and do, for one step on one stage.
class Primitive {
 public:
  Primitive(ScheduleState& schedule, const Step& step, Stage& stage)
      : schedule_(schedule),
        step_(step),
        stage_(stage),
        state_(stage.mutable_state()) {}

  absl::Status Apply(Split& s);
  absl::Status Apply(Fuse& s);
  absl::Status Apply(const Reorder& s);
  absl::Status Apply(const Vectorize& s);
  absl::Status Apply(const Unroll& s);
  absl::Status Apply(const Parallel& s);
  absl::Status Apply(const Bind& s);
  absl::Status Apply(const Pragma& s);
  absl::Status Apply(const ComputeAt& s);
  absl::Status Apply(const ComputeInline& s);
  absl::Status Apply(CacheWrite& s);
  absl::Status Apply(const SetScope& s);

 private:
  absl::Status Error(absl::string_view reason) const {
    return Illegal(step_, reason);
  }
  // The position of a leaf, or an error that says what else the name is.
  absl::StatusOr<int> LeafAt(const std::string& axis) const;
  // The same for a leaf about to be replaced: it must be a plain loop at which
  // nothing is computed.
  absl::StatusOr<int> PlainLeafAt(const std::string& axis) const;
  // Gives `*name` the default if it is empty, or checks that it is free.
  absl::Status NameAxis(absl::string_view hint, std::string* name) const;
  std::vector<std::string> AxisNames() const;
  absl::Status Annotate(const std::string& axis, LoopKind kind);
  // The schedule's attachments, as an error of this step.
  absl::Status CheckAttachments() const;
  bool HasSteps() const;

  ScheduleState& schedule_;
  const Step& step_;
  Stage& stage_;
  StageState& state_;
};

Axis MakeAxis(std::string name, int64_t extent, AxisKind kind) {
  Axis axis;
  axis.var = expr::Var::Make(name);
  axis.name = std::move(name);
  axis.extent = extent;
  axis.kind = kind;
  return axis;
}

Leaf MakeLeaf(const Axis& axis) {
  Leaf leaf;
  leaf.axis = axis;
  return leaf;
}

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
  if (index >= 0) return index;
  const std::vector<std::string> names = AxisNames();
  const bool replaced =
      std::find(names.begin(), names.end(), axis) != names.end();
  return Error(absl::StrCat(
      "`", axis, "` ",
      replaced ? "was split or fused before" : "is no axis of the stage"));
}

absl::StatusOr<int> Primitive::PlainLeafAt(const std::string& axis) const {
  ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(axis));
  const Leaf& leaf = state_.leaves[index];
  if (leaf.kind != LoopKind::kSerial) {
    return Error(
        absl::StrCat("`", axis, "` is ", KindName(leaf.kind), " already"));
  }
  if (!leaf.bind_tag.empty() || !leaf.pragmas.empty()) {
    return Error(absl::StrCat("`", axis, "` is bound or has a pragma"));
  }
  if (const Stage* other = StageAttachedAt(schedule_, stage_, axis)) {
    return Error(
        absl::StrCat("`", other->name(), "` is computed at `", axis, "`"));
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
    return Error(absl::StrCat("`", *name, "` is no valid name"));
  }
  if (std::find(taken.begin(), taken.end(), *name) != taken.end()) {
    return Error(absl::StrCat("the stage has an axis `", *name, "` already"));
  }
  return absl::OkStatus();
}

absl::Status Primitive::CheckAttachments() const {
  const absl::Status status = ValidateAttachments(schedule_);
  return status.ok() ? status : Error(status.message());
}

bool Primitive::HasSteps() const {
  for (const Step& step : schedule_.steps) {
    if (StageOf(step) == stage_.name()) return true;
    const auto* at = std::get_if<ComputeAt>(&step);
    if (at != nullptr && at->consumer == stage_.name()) return true;
  }
  return false;
}

absl::Status Primitive::Apply(Split& s) {
  ASSAY_ASSIGN_OR_RETURN(const int index, PlainLeafAt(s.axis));
  const Axis parent = state_.leaves[index].axis;
  if (s.factor <= 0) return Error("the factor must be positive");
  if (s.tail == Tail::kShift && state_.is_reduction()) {
    return Error(
        "a reduction cannot compute elements twice, so its tail cannot shift");
  }
  ASSAY_RETURN_IF_ERROR(NameAxis(absl::StrCat(parent.name, ".o"), &s.outer));
  ASSAY_RETURN_IF_ERROR(NameAxis(absl::StrCat(parent.name, ".i"), &s.inner));
  if (s.outer == s.inner) return Error("both results have the same name");
  SplitRelation relation;
  relation.parent = parent;
  relation.outer =
      MakeAxis(s.outer, (parent.extent + s.factor - 1) / s.factor, parent.kind);
  relation.inner =
      MakeAxis(s.inner, std::min(s.factor, parent.extent), parent.kind);
  relation.factor = s.factor;
  relation.tail = s.tail;
  state_.leaves[index] = MakeLeaf(relation.outer);
  state_.leaves.insert(state_.leaves.begin() + index + 1,
                       MakeLeaf(relation.inner));
  state_.relations.push_back(std::move(relation));
  return absl::OkStatus();
}

absl::Status Primitive::Apply(Fuse& s) {
  ASSAY_ASSIGN_OR_RETURN(const int outer, PlainLeafAt(s.outer));
  ASSAY_ASSIGN_OR_RETURN(const int inner, PlainLeafAt(s.inner));
  if (inner != outer + 1) {
    return Error(absl::StrCat("`", s.inner, "` must stand right inside of `",
                              s.outer, "`; reorder first"));
  }
  FuseRelation relation;
  relation.outer = state_.leaves[outer].axis;
  relation.inner = state_.leaves[inner].axis;
  if (relation.outer.kind != relation.inner.kind) {
    return Error("a data axis and a reduce axis cannot be fused");
  }
  // Fusing on does not pile up suffixes: `n.c.f` and `h` give `n.c.h.f`.
  absl::string_view outer_name = s.outer;
  absl::ConsumeSuffix(&outer_name, ".f");
  ASSAY_RETURN_IF_ERROR(
      NameAxis(absl::StrCat(outer_name, ".", s.inner, ".f"), &s.fused));
  relation.fused =
      MakeAxis(s.fused, relation.outer.extent * relation.inner.extent,
               relation.outer.kind);
  state_.leaves[outer] = MakeLeaf(relation.fused);
  state_.leaves.erase(state_.leaves.begin() + inner);
  state_.relations.push_back(std::move(relation));
  return absl::OkStatus();
}

absl::Status Primitive::Apply(const Reorder& s) {
  std::vector<int> places;
  std::vector<Leaf> chosen;
  for (const std::string& axis : s.axes) {
    ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(axis));
    if (std::find(places.begin(), places.end(), index) != places.end()) {
      return Error(absl::StrCat("`", axis, "` is listed twice"));
    }
    places.push_back(index);
    chosen.push_back(state_.leaves[index]);
  }
  std::sort(places.begin(), places.end());
  std::vector<Leaf> reordered = state_.leaves;
  for (size_t i = 0; i < places.size(); ++i) reordered[places[i]] = chosen[i];
  for (size_t i = 0; i + 1 < reordered.size(); ++i) {
    if (reordered[i].kind == LoopKind::kVectorized) {
      return Error(absl::StrCat("vectorized axis `", reordered[i].axis.name,
                                "` must stay innermost"));
    }
  }
  std::swap(state_.leaves, reordered);
  const absl::Status status = CheckAttachments();
  if (!status.ok()) std::swap(state_.leaves, reordered);
  return status;
}

absl::Status Primitive::Annotate(const std::string& axis, LoopKind kind) {
  ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(axis));
  Leaf& leaf = state_.leaves[index];
  if (leaf.kind != LoopKind::kSerial || !leaf.bind_tag.empty()) {
    return Error(absl::StrCat(
        "`", axis, "` is ",
        leaf.bind_tag.empty() ? KindName(leaf.kind) : "bound", " already"));
  }
  if (kind != LoopKind::kUnrolled && leaf.axis.kind == AxisKind::kReduce) {
    return Error(absl::StrCat("`", axis,
                              "` is a reduce axis, whose iterations depend on "
                              "one another"));
  }
  leaf.kind = kind;
  return absl::OkStatus();
}

absl::Status Primitive::Apply(const Vectorize& s) {
  ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(s.axis));
  if (index + 1 != static_cast<int>(state_.leaves.size())) {
    return Error(absl::StrCat("`", s.axis, "` is not innermost"));
  }
  if (const Stage* other = StageAttachedAt(schedule_, stage_, s.axis)) {
    return Error(
        absl::StrCat("`", other->name(), "` is computed at `", s.axis, "`"));
  }
  return Annotate(s.axis, LoopKind::kVectorized);
}

absl::Status Primitive::Apply(const Unroll& s) {
  return Annotate(s.axis, LoopKind::kUnrolled);
}

absl::Status Primitive::Apply(const Parallel& s) {
  for (const Leaf& leaf : state_.leaves) {
    if (leaf.kind == LoopKind::kParallel && leaf.axis.name != s.axis) {
      return Error(absl::StrCat("`", leaf.axis.name,
                                "` of the stage is parallel already; fuse the "
                                "two axes"));
    }
  }
  if (state_.scope == expr::Scope::kLocal) {
    return Error("the stage is in local scope, which belongs to one thread");
  }
  return Annotate(s.axis, LoopKind::kParallel);
}

absl::Status Primitive::Apply(const Bind& s) {
  ASSAY_ASSIGN_OR_RETURN(const int index, PlainLeafAt(s.axis));
  if (!IsValidName(s.tag)) {
    return Error(absl::StrCat("`", s.tag, "` is no valid tag"));
  }
  if (state_.leaves[index].axis.kind == AxisKind::kReduce) {
    return Error(absl::StrCat("`", s.axis, "` is a reduce axis"));
  }
  state_.leaves[index].bind_tag = s.tag;
  return absl::OkStatus();
}

absl::Status Primitive::Apply(const Pragma& s) {
  ASSAY_ASSIGN_OR_RETURN(const int index, LeafAt(s.axis));
  if (!IsValidName(s.key)) {
    return Error(absl::StrCat("`", s.key, "` is no valid key"));
  }
  state_.leaves[index].pragmas.push_back({s.key, s.value});
  return absl::OkStatus();
}

absl::Status Primitive::Apply(const ComputeAt& s) {
  const Stage* consumer = schedule_.Find(s.consumer);
  if (consumer == nullptr ||
      consumer->state().placement == Placement::kInline) {
    return Error(absl::StrCat("there is no stage `", s.consumer, "`",
                              consumer == nullptr ? "" : " any more"));
  }
  if (consumer == &stage_) return Error("a stage cannot contain itself");
  if (state_.is_output) return Error("an output is computed at the root");
  const int index = consumer->state().LeafIndex(s.axis);
  if (index < 0) {
    return Error(
        absl::StrCat("`", s.axis, "` is no leaf axis of `", s.consumer, "`"));
  }
  if (consumer->state().leaves[index].kind == LoopKind::kVectorized) {
    return Error(absl::StrCat("`", s.axis, "` is vectorized"));
  }
  const Placement placement = std::exchange(state_.placement, Placement::kAt);
  const Stage* host = std::exchange(state_.attach_stage, consumer);
  const std::string axis = std::exchange(state_.attach_axis, s.axis);
  const absl::Status status = CheckAttachments();
  if (!status.ok()) {
    state_.placement = placement;
    state_.attach_stage = host;
    state_.attach_axis = axis;
  }
  return status;
}

// Puts `body`, a function of `axes`, in place of every read of `tensor`.
class Inliner : public expr::ExprMutator {
 public:
  explicit Inliner(const StageState& producer) : producer_(producer) {}

 protected:
  Expr MutateRead(const Expr& e, const expr::Read* read) override {
    if (read->tensor.get() != producer_.tensor.get()) {
      return ExprMutator::MutateRead(e, read);
    }
    bool changed = false;
    const std::vector<Expr> indices = MutateAll(read->indices, &changed);
    VarMap<Expr> values;
    for (size_t i = 0; i < indices.size(); ++i) {
      values[producer_.tensor->axes[i]] = indices[i];
    }
    return expr::Substitute(producer_.body, values);
  }

 private:
  const StageState& producer_;
};

absl::Status Primitive::Apply(const ComputeInline&) {
  if (state_.is_output) return Error("an output cannot be inlined");
  if (state_.is_reduction()) return Error("a reduction cannot be inlined");
  if (const Stage* other = StageAttachedAt(schedule_, stage_, "")) {
    return Error(
        absl::StrCat("`", other->name(), "` is computed inside of it"));
  }
  std::vector<std::pair<StageState*, Expr>> old_bodies;
  for (const Stage* reader : ReadersOf(schedule_, stage_)) {
    StageState& state = schedule_.Find(reader->name())->mutable_state();
    old_bodies.emplace_back(&state, state.body);
    state.body = Inliner(state_).Mutate(state.body);
  }
  const Placement placement =
      std::exchange(state_.placement, Placement::kInline);
  const absl::Status status = CheckAttachments();
  if (!status.ok()) {
    state_.placement = placement;
    for (auto& [state, body] : old_bodies) state->body = body;
  }
  return status;
}

absl::Status Primitive::Apply(CacheWrite& s) {
  if (HasSteps()) {
    return Error("it must come before other primitives on the stage");
  }
  if (s.cache.empty()) {
    std::vector<std::string> taken;
    for (const auto& stage : schedule_.stages) taken.push_back(stage->name());
    s.cache = UniqueName(
        absl::StrCat(stage_.name(),
                     s.scope == expr::Scope::kLocal ? ".local" : ".global"),
        taken);
  } else if (!IsValidName(s.cache) || !schedule_.IsFreeStageName(s.cache)) {
    return Error(absl::StrCat("`", s.cache, "` is taken or no valid name"));
  }
  std::vector<std::string> names;
  for (const Axis& axis : state_.data_axes) names.push_back(axis.name);
  const te::Tensor& original = state_.tensor;
  const Expr body = state_.body;
  auto moved_body = [&](const std::vector<Expr>& indices) {
    VarMap<Expr> values;
    for (size_t i = 0; i < indices.size(); ++i) {
      values[original->axes[i]] = indices[i];
    }
    return expr::Substitute(body, values);
  };
  const te::Tensor cache =
      te::Compute(original.shape(), s.cache, moved_body, original->tag, names);
  StageState cache_state = MakeStageState(s.cache, cache, cache->body);
  cache_state.scope = s.scope;
  StageState copy =
      MakeStageState(state_.name, original, cache(original->axes));
  copy.is_output = state_.is_output;
  copy.scope = state_.scope;
  state_ = std::move(copy);
  const auto here = std::find_if(
      schedule_.stages.begin(), schedule_.stages.end(),
      [&](const std::unique_ptr<Stage>& p) { return p.get() == &stage_; });
  schedule_.stages.insert(
      here, std::make_unique<Stage>(&schedule_, std::move(cache_state)));
  return absl::OkStatus();
}

absl::Status Primitive::Apply(const SetScope& s) {
  if (state_.is_output) return Error("an output is in global scope");
  for (const Leaf& leaf : state_.leaves) {
    if (s.scope == expr::Scope::kLocal && leaf.kind == LoopKind::kParallel) {
      return Error(absl::StrCat("axis `", leaf.axis.name,
                                "` is parallel, and local memory belongs to "
                                "one thread"));
    }
  }
  state_.scope = s.scope;
  return absl::OkStatus();
}

}  // namespace

absl::Status ApplyStep(ScheduleState& schedule, Step& step) {
  const Step as_given = step;
  Stage* stage = schedule.Find(StageOf(step));
  if (stage == nullptr) {
    return Illegal(as_given,
                   absl::StrCat("there is no stage `", StageOf(step), "`"));
  }
  if (stage->state().placement == Placement::kInline) {
    return Illegal(as_given, absl::StrCat("stage `", stage->name(),
                                          "` was inlined before"));
  }
  Primitive primitive(schedule, as_given, *stage);
  return std::visit([&](auto& s) { return primitive.Apply(s); }, step);
}

}  // namespace assay::schedule
