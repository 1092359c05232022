// Primitives that create a stage from an existing one.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/expr/dag.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"
#include "compiler/schedule/axis_values.h"
#include "compiler/schedule/primitives/primitive.h"
#include "runtime/base/status_macros.h"

namespace assay::schedule {
namespace {

using expr::Expr;
using expr::VarMap;

// Replaces every read of `from` by a read of `to`.
class Redirector : public expr::DagMutator {
 public:
  Redirector(const te::Tensor& from, const te::Tensor& to)
      : from_(from), to_(to) {}

  std::vector<Expr> MutateBodies(const std::vector<Expr>& bodies) {
    bool changed = false;
    return MutateAll(bodies, &changed);
  }

 protected:
  Expr MutateRead(const Expr& e, const expr::Read* read) override {
    if (read->tensor.get() != from_.get()) {
      return DagMutator::MutateRead(e, read);
    }
    bool changed = false;
    return to_(MutateAll(read->indices, &changed));
  }

 private:
  const te::Tensor& from_;
  const te::Tensor& to_;
};

// The named stages, each of which must read `tensor`.
absl::StatusOr<std::vector<Stage*>> FindReaders(const ScheduleState& schedule,
                                                const Step& step,
                                                const te::Tensor& tensor,
                                                const CacheRead& s) {
  if (s.readers.empty()) return Illegal(step, "no readers are listed");
  std::vector<Stage*> readers;
  for (const std::string& name : s.readers) {
    Stage* reader = schedule.Find(name);
    if (reader == nullptr || reader->state().placement == Placement::kInline) {
      return Illegal(step, "there is no stage `", name, "`",
                     reader == nullptr ? "" : " any more");
    }
    bool reads = false;
    if (reader->state().is_extern()) {
      return Illegal(step, "`", name,
                     "` is an extern, whose reads cannot be redirected");
    }
    for (const te::Tensor& read : reader->state().reads()) {
      reads = reads || read.same_as(tensor);
    }
    if (!reads || std::count(readers.begin(), readers.end(), reader) > 0) {
      return Illegal(step, "`", name,
                     reads ? "` is listed twice" : "` does not read it");
    }
    readers.push_back(reader);
  }
  return readers;
}

// The reduce loops of a stage after splits and fusions: their variables as
// reduce axes of a new stage, and the original axes in terms of them.
struct ReduceLoops {
  std::vector<te::ReduceAxis> axes;
  VarMap<Expr> values;  // values of the original reduce axes
  Expr guard;           // undefined if no iteration is excluded
};

// All reduce leaves except for `factor`, whose variable becomes `factor_index`.
ReduceLoops LoopsWithout(const StageState& state, const Axis& factor,
                         const Expr& factor_index) {
  ReduceLoops loops;
  VarMap<Expr> indices = {{factor.var, factor_index}};
  for (const Leaf& leaf : state.leaves) {
    const Axis& axis = leaf.axis;
    if (axis.kind != AxisKind::kReduce || axis.name == factor.name) continue;
    loops.axes.push_back(te::MakeReduceAxis(axis.extent, axis.name));
    indices[axis.var] = loops.axes.back().var;
  }
  const AxisExtents extents = ExtentsOf(state, state.tensor().shape());
  const AxisValues values(state, extents);
  const auto* reduce = state.reduce();
  for (size_t i = 0; i < reduce->axes.size(); ++i) {
    loops.values[reduce->axes[i].var] =
        expr::Substitute(values[state.reduce_axes[i]], indices);
  }
  for (const Guard& guard : values.guards()) {
    if (guard.kind != AxisKind::kReduce) continue;
    const Expr condition = expr::Substitute(guard.condition, indices);
    loops.guard = loops.guard.defined() ? loops.guard && condition : condition;
  }
  return loops;
}

// The reduction of `state` with `factor` turned into a data dimension.
std::vector<te::Tensor> FactoredTensors(const StageState& state,
                                        const RFactor& step,
                                        const Axis& factor) {
  Shape shape = state.tensor().shape();
  std::vector<std::string> names;
  for (const Axis& axis : state.data_axes) names.push_back(axis.name);
  shape.insert(shape.begin() + step.position, factor.extent);
  names.insert(names.begin() + step.position, factor.name);
  const auto* reduce = state.reduce();
  auto body = [&](const std::vector<Expr>& indices) {
    ReduceLoops loops = LoopsWithout(state, factor, indices[step.position]);
    for (size_t i = 0, from = 0; i < state.data_axes.size(); ++i, ++from) {
      if (static_cast<int64_t>(from) == step.position) ++from;
      loops.values[state.tensor()->axes[i]] = indices[from];
    }
    std::vector<Expr> sources;
    for (int i = 0; i < reduce->reducer.size(); ++i) {
      Expr source = expr::SubstituteInDag(reduce->sources[i], loops.values);
      if (loops.guard.defined()) {
        source =
            expr::SelectOf(loops.guard, source, reduce->reducer->identities[i]);
      }
      sources.push_back(std::move(source));
    }
    if (loops.axes.empty()) return sources;
    return te::ReduceTuple(reduce->reducer, sources, loops.axes);
  };
  return te::ComputeTuple(shape, step.factored, body, state.tensor()->tag,
                          names);
}

// Turns `state` into the reduction of `factored` over `factor`; its data loops
// are kept.
StageState ReductionOfFactored(StageState state,
                               const std::vector<te::Tensor>& factored,
                               const Axis& factor, int64_t position) {
  const auto* reduce = state.reduce();
  const te::ReduceAxis over = te::MakeReduceAxis(factor.extent, factor.name);
  std::vector<Expr> indices = state.tensor()->axes;
  indices.insert(indices.begin() + position, over.var);
  std::vector<Expr> sources;
  for (const te::Tensor& tensor : factored) sources.push_back(tensor(indices));
  state.bodies = te::ReduceTuple(reduce->reducer, sources, {over});
  state.reduce_axes = {factor};
  std::vector<Leaf> leaves;
  for (Leaf& leaf : state.leaves) {
    if (leaf.axis.kind == AxisKind::kData || leaf.axis.name == factor.name) {
      leaves.push_back(std::move(leaf));
    }
  }
  state.leaves = std::move(leaves);
  std::vector<Relation> relations;
  for (Relation& relation : state.relations) {
    const auto* split = std::get_if<SplitRelation>(&relation);
    const Axis& axis = split != nullptr
                           ? split->parent
                           : std::get<FuseRelation>(relation).outer;
    if (axis.kind == AxisKind::kData) relations.push_back(std::move(relation));
  }
  state.relations = std::move(relations);
  return state;
}

}  // namespace

std::string CacheName(absl::string_view tensor, expr::Scope scope) {
  return absl::StrCat(tensor,
                      scope == expr::Scope::kLocal ? ".local" : ".global");
}

absl::Status ApplyCacheRead(ScheduleState& schedule, const Step& step,
                            CacheRead& s) {
  const te::Tensor* found = schedule.FindTensor(s.stage);
  if (found == nullptr) {
    return Illegal(step, "there is no stage or placeholder `", s.stage, "`");
  }
  const te::Tensor tensor = *found;
  const Stage* producer = schedule.Find(tensor);
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Stage*> readers,
                         FindReaders(schedule, step, tensor, s));
  ASSAY_RETURN_IF_ERROR(
      NameStage(schedule, step, CacheName(s.stage, s.scope), &s.cache));
  std::vector<std::string> axes;
  for (const Expr& axis : tensor->axes) {
    axes.push_back(axis.As<expr::Var>()->name);
  }
  const te::Tensor cache = te::Compute(
      tensor.shape(), s.cache,
      [&](const std::vector<Expr>& indices) { return tensor(indices); }, "",
      axes);
  StageState state = MakeStageState(s.cache, {cache}, {cache->body});
  state.scope = s.scope;
  auto here = schedule.stages.begin();
  while (producer != nullptr && (here++)->get() != producer) continue;
  schedule.stages.insert(here,
                         std::make_unique<Stage>(&schedule, std::move(state)));
  std::vector<std::vector<Expr>> old_bodies;
  for (Stage* reader : readers) {
    std::vector<Expr>& bodies = reader->mutable_state().bodies;
    old_bodies.push_back(bodies);
    bodies = Redirector(tensor, cache).MutateBodies(bodies);
  }
  const absl::Status status = CheckAttachments(schedule, step);
  if (!status.ok()) {
    for (size_t i = 0; i < readers.size(); ++i) {
      readers[i]->mutable_state().bodies = old_bodies[i];
    }
    EraseStage(schedule, s.cache);
  }
  return status;
}

absl::Status Primitive::Apply(CacheWrite& s) {
  if (HasSteps()) {
    return Error("it must come before other primitives on the stage");
  }
  if (state_.is_extern()) return Error("an extern cannot be cached");
  ASSAY_RETURN_IF_ERROR(
      NameStage(schedule_, step_, CacheName(stage_.name(), s.scope), &s.cache));
  std::vector<std::string> names;
  for (const Axis& axis : state_.data_axes) names.push_back(axis.name);
  const te::Tensor& original = state_.tensor();
  auto moved_bodies = [&](const std::vector<Expr>& indices) {
    VarMap<Expr> values;
    for (size_t i = 0; i < indices.size(); ++i) {
      values[original->axes[i]] = indices[i];
    }
    std::vector<Expr> bodies;
    for (const Expr& body : state_.bodies) {
      bodies.push_back(expr::SubstituteInDag(body, values));
    }
    return bodies;
  };
  const std::vector<te::Tensor> caches = te::ComputeTuple(
      original.shape(), s.cache, moved_bodies, original->tag, names);
  std::vector<Expr> bodies, copies;
  for (const te::Tensor& cache : caches) {
    bodies.push_back(cache->body);
    copies.push_back(cache(original->axes));
  }
  StageState cache_state = MakeStageState(s.cache, caches, bodies);
  cache_state.scope = s.scope;
  StageState copy = MakeStageState(state_.name, state_.tensors, copies);
  copy.is_output = state_.is_output;
  copy.placement = state_.placement;
  copy.attach_stage = state_.attach_stage;
  copy.attach_axis = state_.attach_axis;
  copy.scope = state_.scope;
  state_ = std::move(copy);
  InsertBefore(std::move(cache_state));
  return absl::OkStatus();
}

absl::Status Primitive::Apply(RFactor& s) {
  if (state_.intrin != nullptr) return Error("the stage has an intrinsic");
  ASSAY_ASSIGN_OR_RETURN(const int index, PlainLeafAt(s.axis));
  const Axis factor = state_.leaves[index].axis;
  if (factor.kind != AxisKind::kReduce) {
    return Error("`", s.axis, "` is not a reduce axis");
  }
  if (!state_.reduce()->reducer->reorderable) {
    return Error(OrderMatters(s.axis));
  }
  for (const Leaf& leaf : state_.leaves) {
    if (leaf.axis.kind != AxisKind::kReduce) continue;
    ASSAY_RETURN_IF_ERROR(PlainLeafAt(leaf.axis.name).status());
  }
  if (s.position < 0 ||
      s.position > static_cast<int64_t>(state_.data_axes.size())) {
    return Error("there is no position ", s.position, " among ",
                 state_.data_axes.size(), " dimensions");
  }
  ASSAY_RETURN_IF_ERROR(NameStage(
      schedule_, step_, absl::StrCat(stage_.name(), ".rf"), &s.factored));
  const std::vector<te::Tensor> factored = FactoredTensors(state_, s, factor);
  std::vector<Expr> bodies;
  for (const te::Tensor& tensor : factored) bodies.push_back(tensor->body);
  StageState old = std::exchange(
      state_, ReductionOfFactored(state_, factored, factor, s.position));
  StageState factored_state = MakeStageState(s.factored, factored, bodies);
  InsertBefore(std::move(factored_state));
  const absl::Status status = CheckAttachments();
  if (!status.ok()) {
    state_ = std::move(old);
    EraseStage(schedule_, s.factored);
  }
  return status;
}

}  // namespace assay::schedule
