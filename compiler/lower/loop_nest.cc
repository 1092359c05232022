#include "compiler/lower/loop_nest.h"

#include <utility>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"
#include "compiler/expr/visitor.h"
#include "compiler/tir/visitor.h"
#include "runtime/base/check.h"

namespace assay::lower {
namespace {

using expr::Buffer;
using expr::Expr;
using expr::VarMap;
using schedule::AxisKind;
using schedule::Leaf;
using schedule::LoopKind;
using schedule::Placement;
using schedule::Stage;
using schedule::StageState;
using tir::Stmt;

tir::ForKind ForKindOf(LoopKind kind) {
  switch (kind) {
    case LoopKind::kSerial:
      return tir::ForKind::kSerial;
    case LoopKind::kParallel:
      return tir::ForKind::kParallel;
    case LoopKind::kVectorized:
      return tir::ForKind::kVectorized;
    case LoopKind::kUnrolled:
      return tir::ForKind::kUnrolled;
  }
  return tir::ForKind::kSerial;
}

// The loops of a reduction that both phases share, and those of each phase.
enum class Phase { kShared, kInit, kUpdate };

int FirstReduceLeaf(const StageState& stage) {
  for (size_t i = 0; i < stage.leaves.size(); ++i) {
    if (stage.leaves[i].axis.kind == AxisKind::kReduce) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

class Builder {
 public:
  Builder(const schedule::Schedule& schedule, const ScheduleBounds& bounds,
          const BufferMap& parameters)
      : schedule_(schedule), bounds_(bounds), buffers_(parameters) {
    for (const auto& [stage, stage_bounds] : bounds_.stages) {
      const StageState& state = stage->state();
      for (const Leaf& leaf : state.leaves) {
        init_vars_[leaf.axis.var] = expr::Var::Make(leaf.axis.name);
      }
      if (state.is_output) continue;
      buffers_[state.tensor.get()] =
          expr::MakeBuffer(state.name, state.tensor.dtype(),
                           stage_bounds.region.extent, state.scope);
    }
  }

  Stmt Build() const { return AddProducers(nullptr, "", Stmt()); }

 private:
  // Puts the stages computed at this place (a leaf of `host`, or the root where
  // it is nullptr) before `rest`, in the order of the schedule.
  Stmt AddProducers(const Stage* host, const std::string& axis,
                    Stmt rest) const;
  Stmt Loops(const Stage& stage, int position, Phase phase) const;
  Stmt Loop(const Stage& stage, int position, Phase phase, Stmt body) const;
  Stmt Guarded(const Stage& stage, int position, Phase phase, Stmt body) const;
  Stmt StoreOf(const Stage& stage, Phase phase) const;
  Expr BodyOf(const Stage& stage, const Expr& body) const;

  const schedule::Schedule& schedule_;
  const ScheduleBounds& bounds_;
  BufferMap buffers_;
  VarMap<Expr> init_vars_;

  friend class ReadLowerer;
};

// A body's reads become loads, its variables the loops they stand for.
class ReadLowerer : public expr::ExprMutator {
 public:
  ReadLowerer(const Builder& builder, VarMap<Expr> values)
      : builder_(builder), values_(std::move(values)) {}

 protected:
  Expr MutateVar(const Expr& e, const expr::Var*) override {
    const auto found = values_.find(e);
    return found == values_.end() ? e : found->second;
  }

  Expr MutateRead(const Expr&, const expr::Read* read) override {
    bool changed = false;
    std::vector<Expr> indices = MutateAll(read->indices, &changed);
    const auto buffer = builder_.buffers_.find(read->tensor.get());
    CHECK(buffer != builder_.buffers_.end()) << read->tensor->name;
    const Stage* producer = ProducerOf(*read);
    if (producer != nullptr) {
      const Region& region = builder_.bounds_.stages.at(producer).region;
      for (size_t i = 0; i < indices.size(); ++i) {
        indices[i] = indices[i] - region.min[i];
      }
    }
    return expr::Load::Make(buffer->second, std::move(indices));
  }

 private:
  // nullptr for a placeholder.
  const Stage* ProducerOf(const expr::Read& read) const {
    const te::Tensor tensor = te::TensorOf(read);
    return tensor.is_placeholder() ? nullptr : &builder_.schedule_[tensor];
  }

  const Builder& builder_;
  VarMap<Expr> values_;
};

Expr Builder::BodyOf(const Stage& stage, const Expr& body) const {
  const StageState& state = stage.state();
  const StageBounds& bounds = bounds_.stages.at(&stage);
  VarMap<Expr> values;
  for (size_t i = 0; i < bounds.data_offsets.size(); ++i) {
    values[state.tensor->axes[i]] =
        bounds.region.min[i] + bounds.data_offsets[i];
  }
  if (const auto* reduce = state.body.As<expr::Reduce>()) {
    for (size_t i = 0; i < bounds.reduce_values.size(); ++i) {
      values[reduce->axes[i].var] = bounds.reduce_values[i];
    }
  }
  return ReadLowerer(*this, std::move(values)).Mutate(body);
}

Stmt Builder::StoreOf(const Stage& stage, Phase phase) const {
  const StageState& state = stage.state();
  const Buffer& buffer = buffers_.at(state.tensor.get());
  const std::vector<Expr>& indices = bounds_.stages.at(&stage).data_offsets;
  const auto* reduce = state.body.As<expr::Reduce>();
  Expr value;
  if (reduce == nullptr) {
    value = BodyOf(stage, state.body);
  } else if (phase == Phase::kInit) {
    value = expr::CombinerIdentity(reduce->combiner, buffer->dtype);
  } else {
    value = expr::Combine(reduce->combiner, expr::Load::Make(buffer, indices),
                          BodyOf(stage, reduce->source));
  }
  return tir::Store::Make(buffer, indices, value);
}

Stmt Builder::Guarded(const Stage& stage, int position, Phase phase,
                      Stmt body) const {
  Expr condition;
  for (const Guard& guard : bounds_.stages.at(&stage).guards) {
    if (guard.position != position ||
        (phase == Phase::kInit && guard.kind == AxisKind::kReduce)) {
      continue;
    }
    condition =
        condition.defined() ? condition && guard.condition : guard.condition;
  }
  if (!condition.defined()) return body;
  return tir::IfThenElse::Make(condition, std::move(body));
}

Stmt Builder::Loop(const Stage& stage, int position, Phase phase,
                   Stmt body) const {
  const Leaf& leaf = stage.state().leaves[position];
  const int64_t extent = bounds_.stages.at(&stage).leaf_extents[position];
  if (extent == 1) return body;
  Expr var = leaf.axis.var;
  if (phase == Phase::kInit) {
    // The update has a loop over the same variable; each is bound once.
    var = init_vars_.at(leaf.axis.var);
    body = tir::Substitute(body, {{leaf.axis.var, var}});
  }
  Stmt loop = tir::For::Make(var, 0, static_cast<int>(extent),
                             ForKindOf(leaf.kind), std::move(body));
  for (const schedule::LoopPragma& pragma : leaf.pragmas) {
    loop = tir::Pragma::Make(pragma.key, pragma.value, std::move(loop));
  }
  return loop;
}

Stmt Builder::Loops(const Stage& stage, int position, Phase phase) const {
  const StageState& state = stage.state();
  if (phase == Phase::kShared && position == FirstReduceLeaf(state)) {
    return tir::Block::Make({Loops(stage, position, Phase::kInit),
                             Loops(stage, position, Phase::kUpdate)});
  }
  if (position == static_cast<int>(state.leaves.size())) {
    return StoreOf(stage, phase);
  }
  const Leaf& leaf = state.leaves[position];
  Stmt body = Loops(stage, position + 1, phase);
  if (phase == Phase::kInit) {
    if (leaf.axis.kind == AxisKind::kReduce) return body;
  } else {
    body = AddProducers(&stage, leaf.axis.name, std::move(body));
  }
  body = Guarded(stage, position, phase, std::move(body));
  return Loop(stage, position, phase, std::move(body));
}

Stmt Builder::AddProducers(const Stage* host, const std::string& axis,
                           Stmt rest) const {
  const std::vector<const Stage*> stages = schedule_.stages();
  for (auto it = stages.rbegin(); it != stages.rend(); ++it) {
    const StageState& state = (*it)->state();
    const bool here = host == nullptr ? state.placement == Placement::kRoot
                                      : state.placement == Placement::kAt &&
                                            state.attach_stage == host &&
                                            state.attach_axis == axis;
    if (!here) continue;
    std::vector<Stmt> stmts = {Loops(**it, 0, Phase::kShared)};
    if (rest.defined()) stmts.push_back(std::move(rest));
    rest = tir::Block::Make(std::move(stmts));
    if (!state.is_output) {
      rest =
          tir::Allocate::Make(buffers_.at(state.tensor.get()), std::move(rest));
    }
  }
  return rest;
}

}  // namespace

Stmt MakeLoopNest(const schedule::Schedule& schedule,
                  const ScheduleBounds& bounds, const BufferMap& parameters) {
  return Builder(schedule, bounds, parameters).Build();
}

}  // namespace assay::lower
