// Primitives that make a stage out of another one.
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"
#include "compiler/schedule/axis_values.h"
#include "compiler/schedule/primitives/primitive.h"
#include "runtime/base/status_macros.h"

namespace assay::schedule {
namespace {

using expr::Expr;
using expr::VarMap;

// The loops of a reduction's reduce axes after splits and fusions: their
// variables as reduce axes of a new stage, and what they make of the old ones.
struct ReduceLoops {
  std::vector<te::ReduceAxis> axes;
  VarMap<Expr> values;  // of the variables of the reduction
  Expr guard;           // undefined where all iterations exist
};

// All reduce leaves but `factor`, whose variable becomes `factor_index`.
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
  const AxisExtents extents = ExtentsOf(state, state.tensor.shape());
  const AxisValues values(state, extents);
  const auto* reduce = state.body.As<expr::Reduce>();
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

// `state`'s reduction with a dimension more, over which nothing is summed.
te::Tensor FactoredTensor(const StageState& state, const RFactor& step,
                          const Axis& factor) {
  Shape shape = state.tensor.shape();
  std::vector<std::string> names;
  for (const Axis& axis : state.data_axes) names.push_back(axis.name);
  shape.insert(shape.begin() + step.position, factor.extent);
  names.insert(names.begin() + step.position, factor.name);
  const auto* reduce = state.body.As<expr::Reduce>();
  auto body = [&](const std::vector<Expr>& indices) {
    ReduceLoops loops = LoopsWithout(state, factor, indices[step.position]);
    for (size_t i = 0, from = 0; i < state.data_axes.size(); ++i, ++from) {
      if (static_cast<int64_t>(from) == step.position) ++from;
      loops.values[state.tensor->axes[i]] = indices[from];
    }
    Expr source = expr::Substitute(reduce->source, loops.values);
    if (loops.guard.defined()) {
      source = expr::SelectOf(
          loops.guard, source,
          expr::CombinerIdentity(reduce->combiner, source.dtype()));
    }
    if (loops.axes.empty()) return source;
    return expr::Reduce::Make(reduce->combiner, source, loops.axes);
  };
  return te::Compute(shape, step.factored, body, state.tensor->tag, names);
}

// `state` as the reduction of `factored` over `factor`, with its data loops as
// they are.
StageState SumOfFactored(StageState state, const te::Tensor& factored,
                         const Axis& factor, int64_t position) {
  const auto* reduce = state.body.As<expr::Reduce>();
  const te::ReduceAxis over = te::MakeReduceAxis(factor.extent, factor.name);
  std::vector<Expr> indices = state.tensor->axes;
  indices.insert(indices.begin() + position, over.var);
  state.body = expr::Reduce::Make(reduce->combiner, factored(indices), {over});
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

absl::Status Primitive::Apply(CacheWrite& s) {
  if (HasSteps()) {
    return Error("it must come before other primitives on the stage");
  }
  ASSAY_RETURN_IF_ERROR(NameStage(
      absl::StrCat(stage_.name(),
                   s.scope == expr::Scope::kLocal ? ".local" : ".global"),
      &s.cache));
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
  InsertBefore(std::move(cache_state));
  return absl::OkStatus();
}

absl::Status Primitive::Apply(RFactor& s) {
  ASSAY_ASSIGN_OR_RETURN(const int index, PlainLeafAt(s.axis));
  const Axis factor = state_.leaves[index].axis;
  if (factor.kind != AxisKind::kReduce) {
    return Error(absl::StrCat("`", s.axis, "` is no reduce axis"));
  }
  for (const Leaf& leaf : state_.leaves) {
    if (leaf.axis.kind != AxisKind::kReduce) continue;
    ASSAY_RETURN_IF_ERROR(PlainLeafAt(leaf.axis.name).status());
  }
  if (s.position < 0 ||
      s.position > static_cast<int64_t>(state_.data_axes.size())) {
    return Error(absl::StrCat("there is no position ", s.position, " among ",
                              state_.data_axes.size(), " dimensions"));
  }
  ASSAY_RETURN_IF_ERROR(
      NameStage(absl::StrCat(stage_.name(), ".rf"), &s.factored));
  const te::Tensor factored = FactoredTensor(state_, s, factor);
  StageState old = std::exchange(
      state_, SumOfFactored(state_, factored, factor, s.position));
  InsertBefore(MakeStageState(s.factored, factored, factored->body));
  const absl::Status status = CheckAttachments();
  if (!status.ok()) {
    state_ = std::move(old);
    Erase(s.factored);
  }
  return status;
}

}  // namespace assay::schedule
