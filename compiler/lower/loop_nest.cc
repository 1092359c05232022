#include "compiler/lower/loop_nest.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"
#include "compiler/lower/accesses.h"
#include "compiler/lower/copy_stmt.h"
#include "compiler/lower/shared_stores.h"
#include "compiler/lower/storage.h"
#include "compiler/lower/store_tuple.h"
#include "compiler/lower/virtual_threads.h"
#include "compiler/tir/simplify/interval.h"
#include "compiler/tir/simplify/simplify.h"
#include "compiler/tir/thread_pragma.h"
#include "compiler/tir/visitor.h"
#include "runtime/base/status_macros.h"

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

// Returns true if `stage` is computed at this leaf of `host`, or at root if
// `host` is nullptr.
bool IsComputedAt(const Stage& stage, const Stage* host,
                  const std::string& axis) {
  const StageState& state = stage.state();
  if (host == nullptr) return state.placement == Placement::kRoot;
  return state.placement == Placement::kAt && state.attach_stage == host &&
         state.attach_axis == axis;
}

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

// Loops of a reduction: shared by all phases; initializing a tile to the
// identity; the first update, which starts from the identity in place; other
// updates.
enum class Phase { kShared, kInit, kFirst, kUpdate };

// The point at which the phases of a reduction separate (loop_nest.h).
struct Start {
  int position = -1;  // index of the first separate leaf; -1: no reduction
  bool in_place = false;
};

Start StartOf(const schedule::Schedule& schedule, const Stage& stage,
              const StageBounds& bounds) {
  const StageState& state = stage.state();
  Start start;
  if (!state.is_reduction()) return start;
  auto is_reduce = [&](int i) {
    return state.leaves[i].axis.kind == AxisKind::kReduce;
  };
  // The tile of an intrinsic consists of the loops that it replaces and the
  // unrolled data loops around it.
  const int end = state.IntrinPosition();
  int tile = end;
  const auto in_tile = [&](int i) {
    return !is_reduce(i) && (state.intrin == nullptr ||
                             state.leaves[i].kind == LoopKind::kUnrolled);
  };
  while (tile > 0 && in_tile(tile - 1)) --tile;
  start.position = tile;
  while (start.position > 0 && is_reduce(start.position - 1)) --start.position;
  bool small = true;
  int innermost_host = -1;
  for (int i = tile; i < end; ++i) {
    const Leaf& leaf = state.leaves[i];
    for (const Stage* other : schedule.stages()) {
      if (IsComputedAt(*other, &stage, leaf.axis.name)) innermost_host = i;
    }
    small = small &&
            (leaf.kind == LoopKind::kUnrolled ||
             leaf.kind == LoopKind::kVectorized || bounds.leaf_extents[i] == 1);
  }
  if (innermost_host >= 0) return {innermost_host + 1, true};
  const bool one_run = start.position <= FirstReduceLeaf(state);
  if (one_run && !small && state.scope == expr::Scope::kGlobal) {
    return {tile, true};
  }
  return start;
}

class Builder {
 public:
  Builder(const schedule::Schedule& schedule, const ScheduleBounds& bounds,
          const BufferMap& parameters)
      : schedule_(schedule),
        bounds_(bounds),
        access_(schedule, bounds, parameters) {
    for (const auto& [stage, stage_bounds] : bounds_.stages) {
      const StageState& state = stage->state();
      starts_[stage] = StartOf(schedule, *stage, stage_bounds);
      for (const Leaf& leaf : state.leaves) {
        init_vars_[leaf.axis.var] = expr::Var::Make(leaf.axis.name);
      }
    }
  }

  // Computes the operands of all intrinsics.
  absl::Status PlaceIntrins();
  Stmt Build() const { return AddProducers(nullptr, "", Stmt()); }

 private:
  bool HostsProducers(const Stage& host, const std::string& axis) const;
  // Inserts the stages computed at this leaf of `host` (or at root, if it is
  // nullptr) before `rest`, in schedule order.
  Stmt AddProducers(const Stage* host, const std::string& axis,
                    Stmt rest) const;
  Stmt Loops(const Stage& stage, int position, Phase phase) const;
  // All loops of the stage, with the threads that it runs on.
  Stmt AllLoops(const Stage& stage) const;
  Stmt Loop(const Stage& stage, int position, Phase phase, Stmt body) const;
  Stmt Guarded(const Stage& stage, int position, Phase phase, Stmt body) const;
  // Skips `body`, one iteration of this leaf, if guards of inner loops exclude
  // all of it: the stages computed for it are not needed then.
  Stmt UnlessEmpty(const Stage& stage, int position, Stmt body) const;
  Stmt StoresOf(const Stage& stage, Phase phase) const;
  // The expressions of which the stage stores the values, or that it reduces.
  std::vector<Expr> ValuesOf(const Stage& stage) const;
  // `stores` with the store predicates of the stage.
  Stmt Predicated(const Stage& stage, Stmt stores) const;
  // All phases of a reduction, from leaf `position` inwards.
  Stmt Phases(const Stage& stage, int position) const;
  Stmt IntrinStmt(const Stage& stage, const te::IntrinBody& body) const;
  // Prefetches for later iterations of this leaf.
  std::vector<Stmt> Prefetches(const Stage& stage, int position) const;
  // Adds the allocations and prologues of buffers that outlive the iterations
  // of the loop over a leaf.
  Stmt AroundLoop(const Stage& stage, int position, Stmt loop) const;
  // Wraps `body` in the allocations of the stage's buffers.
  Stmt Allocated(const Stage& stage, Stmt body) const;

  const schedule::Schedule& schedule_;
  const ScheduleBounds& bounds_;
  const Accesses access_;
  std::map<const Stage*, PlacedIntrin> intrins_;
  std::map<const Stage*, Start> starts_;
  VarMap<Expr> init_vars_;
};

Stmt Builder::StoresOf(const Stage& stage, Phase phase) const {
  const StageState& state = stage.state();
  std::vector<Element> elements;
  for (const te::Tensor& tensor : state.tensors) {
    elements.push_back(
        {access_.BufferOf(tensor),
         access_.IndicesOf(tensor, bounds_.stages.at(&stage).data_offsets)});
  }
  const expr::Reduce* reduce = state.reduce();
  if (reduce != nullptr && phase == Phase::kInit) {
    return StoreEach(elements, reduce->reducer->identities);
  }
  const auto store = [&](const std::vector<Expr>& values) {
    if (reduce == nullptr) return StoreEach(elements, values);
    if (phase != Phase::kFirst) {
      return StoreCombined(reduce->reducer, elements, values);
    }
    return StoreEach(
        elements,
        expr::Combine(reduce->reducer, reduce->reducer->identities, values));
  };
  return WithSharedValues(access_, stage, ValuesOf(stage), store);
}

std::vector<Expr> Builder::ValuesOf(const Stage& stage) const {
  const StageState& state = stage.state();
  if (const expr::Reduce* reduce = state.reduce()) return reduce->sources;
  return state.bodies;
}

Stmt Builder::Predicated(const Stage& stage, Stmt stores) const {
  for (const schedule::ThreadValue& only : stage.state().store_predicates) {
    stores = tir::Pragma::Make(
        tir::ThreadPragma(tir::ThreadRole::kStore, only.thread), only.value,
        std::move(stores));
  }
  return stores;
}

Stmt Builder::Guarded(const Stage& stage, int position, Phase phase,
                      Stmt body) const {
  Expr condition;
  auto add = [&](const schedule::Guard& guard) {
    if (guard.position != position ||
        (phase == Phase::kInit && guard.kind == AxisKind::kReduce)) {
      return;
    }
    condition =
        condition.defined() ? condition && guard.condition : guard.condition;
  };
  for (const auto& guard : bounds_.stages.at(&stage).guards) add(guard);
  if (!condition.defined()) return body;
  return tir::IfThenElse::Make(condition, std::move(body));
}

Stmt Builder::UnlessEmpty(const Stage& stage, int position, Stmt body) const {
  const StageBounds& bounds = bounds_.stages.at(&stage);
  const std::vector<Leaf>& leaves = stage.state().leaves;
  tir::IntervalMap inner;
  for (size_t i = position + 1; i < leaves.size(); ++i) {
    inner[leaves[i].axis.var] = {
        Expr(0), Expr(static_cast<int>(bounds.leaf_extents[i] - 1))};
  }
  for (const schedule::Guard& guard : bounds.guards) {
    const auto* less = guard.condition.As<expr::LT>();
    if (guard.position <= position || less == nullptr) continue;
    const tir::Interval value =
        tir::EvalInterval(less->a, inner, bounds_.loop_vars);
    if (!value.IsKnown()) continue;
    const Expr condition = value.min < less->b;
    if (tir::CanProve(condition, bounds_.loop_vars)) continue;
    body = tir::IfThenElse::Make(condition, std::move(body));
  }
  return body;
}

Stmt Builder::Loop(const Stage& stage, int position, Phase phase,
                   Stmt body) const {
  const Leaf& leaf = stage.state().leaves[position];
  const int64_t extent = bounds_.stages.at(&stage).leaf_extents[position];
  if (extent == 1) return body;
  Expr var = leaf.axis.var;
  if (phase == Phase::kInit || phase == Phase::kFirst) {
    // The update has a loop over the same variable, which may be bound only
    // once.
    var = init_vars_.at(leaf.axis.var);
    body = tir::Substitute(body, {{leaf.axis.var, var}});
  }
  if (leaf.bind_tag == schedule::kVirtualThread) {
    return tir::Pragma::Make(
        kVirtualThreadPragma, extent,
        tir::For::Make(var, 0, static_cast<int>(extent), tir::ForKind::kSerial,
                       std::move(body)));
  }
  Stmt loop = tir::For::Make(var, 0, static_cast<int>(extent),
                             ForKindOf(leaf.kind), std::move(body));
  if (!leaf.bind_tag.empty()) {
    loop = tir::Pragma::Make(
        tir::ThreadPragma(tir::ThreadRole::kBind, leaf.bind_tag), extent,
        std::move(loop));
  }
  for (const schedule::LoopPragma& pragma : leaf.pragmas) {
    loop = tir::Pragma::Make(pragma.key, pragma.value, std::move(loop));
  }
  return loop;
}

absl::Status Builder::PlaceIntrins() {
  for (const auto& [stage, bounds] : bounds_.stages) {
    if (stage->state().intrin == nullptr) continue;
    absl::StatusOr<PlacedIntrin> placed = access_.PlaceIntrin(*stage);
    if (!placed.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "stage `", stage->name(), "`: intrinsic `",
          stage->state().intrin->name, "` does not fit at axis `",
          stage->state().intrin_axis, "`: ", placed.status().message()));
    }
    intrins_[stage] = *std::move(placed);
  }
  return absl::OkStatus();
}

Stmt Builder::IntrinStmt(const Stage& stage, const te::IntrinBody& body) const {
  const PlacedIntrin& intrin = intrins_.at(&stage);
  std::vector<Stmt> stores;
  for (te::IntrinStore& store : body(intrin.output, intrin.inputs)) {
    stores.push_back(tir::Store::Make(intrin.output.buffer, {store.index},
                                      std::move(store.value)));
  }
  return Predicated(stage, tir::Block::Make(std::move(stores)));
}

Stmt Builder::Phases(const Stage& stage, int position) const {
  const StageState& state = stage.state();
  Expr first;
  for (int i = 0; i < position; ++i) {
    const Leaf& leaf = state.leaves[i];
    if (leaf.axis.kind != AxisKind::kReduce ||
        bounds_.stages.at(&stage).leaf_extents[i] == 1) {
      continue;
    }
    const Expr here = expr::Eq(leaf.axis.var, 0);
    first = first.defined() ? first && here : here;
  }
  if (state.intrin != nullptr && state.intrin->body != nullptr &&
      FirstReduceLeaf(state) >= state.IntrinPosition()) {
    return IntrinStmt(stage, state.intrin->body);
  }
  const bool in_place = starts_.at(&stage).in_place;
  Stmt start = Loops(stage, position, in_place ? Phase::kFirst : Phase::kInit);
  if (in_place && !first.defined()) return start;
  Stmt update = Loops(stage, position, Phase::kUpdate);
  if (in_place) return tir::IfThenElse::Make(first, start, update);
  if (first.defined()) start = tir::IfThenElse::Make(first, start);
  return tir::Block::Make({std::move(start), std::move(update)});
}

Stmt Builder::Loops(const Stage& stage, int position, Phase phase) const {
  const StageState& state = stage.state();
  if (state.is_extern()) return access_.ExternOf(stage);
  if (phase == Phase::kShared && position == starts_.at(&stage).position) {
    return Phases(stage, position);
  }
  if (state.intrin != nullptr && position == state.IntrinPosition()) {
    if (phase == Phase::kUpdate) return IntrinStmt(stage, state.intrin->update);
    if (phase == Phase::kShared) return IntrinStmt(stage, state.intrin->body);
    if (state.intrin->init != nullptr) {
      return IntrinStmt(stage, state.intrin->init);
    }
  }
  if (position == static_cast<int>(state.leaves.size())) {
    return Predicated(stage, StoresOf(stage, phase));
  }
  const Leaf& leaf = state.leaves[position];
  Stmt body = Loops(stage, position + 1, phase);
  if (phase == Phase::kInit) {
    if (leaf.axis.kind == AxisKind::kReduce) return body;
  } else {
    body = AddProducers(&stage, leaf.axis.name, std::move(body));
    std::vector<Stmt> stmts = Prefetches(stage, position);
    stmts.push_back(std::move(body));
    body = tir::Block::Make(std::move(stmts));
    if (HostsProducers(stage, leaf.axis.name)) {
      body = UnlessEmpty(stage, position, std::move(body));
    }
  }
  body = Guarded(stage, position, phase, std::move(body));
  Stmt loop = Loop(stage, position, phase, std::move(body));
  if (phase == Phase::kInit) return loop;
  return AroundLoop(stage, position, std::move(loop));
}

Stmt Builder::AllLoops(const Stage& stage) const {
  Stmt loops = Loops(stage, 0, Phase::kShared);
  const std::vector<std::string>& threads = stage.state().env_threads;
  for (auto thread = threads.rbegin(); thread != threads.rend(); ++thread) {
    loops = tir::Pragma::Make(tir::ThreadPragma(tir::ThreadRole::kEnv, *thread),
                              0, std::move(loops));
  }
  return loops;
}

std::vector<Stmt> Builder::Prefetches(const Stage& stage, int position) const {
  std::vector<Stmt> stmts;
  const int64_t extent = bounds_.stages.at(&stage).leaf_extents[position];
  for (const PrefetchBounds& prefetch : bounds_.prefetches) {
    if (prefetch.host != &stage || prefetch.leaf != position) continue;
    const Expr& var = stage.state().leaves[position].axis.var;
    const int64_t ahead = std::min(prefetch.prefetch.offset, extent);
    stmts.push_back(
        access_.PrefetchOf(prefetch, expr::Min(var + static_cast<int>(ahead),
                                               static_cast<int>(extent - 1))));
  }
  return stmts;
}

Stmt Builder::AroundLoop(const Stage& stage, int position, Stmt loop) const {
  const Leaf& leaf = stage.state().leaves[position];
  for (const Stage* inner : schedule_.stages()) {
    if (!IsComputedAt(*inner, &stage, leaf.axis.name)) continue;
    if (!access_.HasDoubleBuffer(*inner)) continue;
    const Stmt first = AllLoops(*inner);
    loop = tir::Block::Make({CopyStmt(first, {{leaf.axis.var, 0}}), loop});
    loop = Allocated(*inner, std::move(loop));
  }
  return loop;
}

Stmt Builder::Allocated(const Stage& stage, Stmt body) const {
  const std::vector<Buffer> buffers = access_.BuffersOf(stage);
  for (auto buffer = buffers.rbegin(); buffer != buffers.rend(); ++buffer) {
    body = tir::Allocate::Make(*buffer, std::move(body));
  }
  return body;
}

bool Builder::HostsProducers(const Stage& host, const std::string& axis) const {
  for (const Stage* stage : schedule_.stages()) {
    if (IsComputedAt(*stage, &host, axis)) return true;
  }
  return false;
}

Stmt Builder::AddProducers(const Stage* host, const std::string& axis,
                           Stmt rest) const {
  const std::vector<const Stage*> stages = schedule_.stages();
  for (auto it = stages.rbegin(); it != stages.rend(); ++it) {
    if (!IsComputedAt(**it, host, axis)) continue;
    Stmt compute = AllLoops(**it);
    const bool is_double = access_.HasDoubleBuffer(**it);
    if (is_double) {
      const int leaf = host->state().LeafIndex(axis);
      const Expr& var = host->state().leaves[leaf].axis.var;
      const Expr next = var + 1;
      const int64_t extent = bounds_.stages.at(host).leaf_extents[leaf];
      compute = tir::IfThenElse::Make(next < static_cast<int>(extent),
                                      CopyStmt(compute, {{var, next}}));
    }
    if (rest.defined()) {
      rest = tir::Block::Make({std::move(compute), std::move(rest)});
    } else {
      rest = std::move(compute);
    }
    if (!is_double) rest = Allocated(**it, std::move(rest));
  }
  return rest;
}

}  // namespace

absl::StatusOr<Stmt> MakeLoopNest(const schedule::Schedule& schedule,
                                  const ScheduleBounds& bounds,
                                  const BufferMap& parameters) {
  for (const auto& [stage, unused] : bounds.stages) {
    ASSAY_RETURN_IF_ERROR(CheckSize(*stage));
  }
  Builder builder(schedule, bounds, parameters);
  ASSAY_RETURN_IF_ERROR(builder.PlaceIntrins());
  return builder.Build();
}

}  // namespace assay::lower
