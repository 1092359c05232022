#include "compiler/schedule/axis_values.h"

#include <algorithm>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"

namespace assay::schedule {

using expr::Expr;

namespace {

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Returns the index in StageState::leaves of the innermost leaf whose variable
// occurs in `e`, or 0 if there is none.
int InnermostLeaf(const StageState& stage, const Expr& e) {
  int position = 0;
  for (size_t i = 0; i < stage.leaves.size(); ++i) {
    if (expr::UsesVar(e, stage.leaves[i].axis.var)) {
      position = static_cast<int>(i);
    }
  }
  return position;
}

}  // namespace

AxisExtents ExtentsOf(const StageState& stage,
                      const std::vector<int64_t>& data_extents) {
  AxisExtents extents;
  for (size_t i = 0; i < stage.data_axes.size(); ++i) {
    extents[stage.data_axes[i].name] = data_extents[i];
  }
  for (const Axis& axis : stage.reduce_axes) extents[axis.name] = axis.extent;
  for (const Relation& relation : stage.relations) {
    if (const auto* split = std::get_if<SplitRelation>(&relation)) {
      const int64_t extent = extents[split->parent.name];
      const int64_t factor =
          split->parts > 0 ? CeilDiv(extent, split->parts) : split->factor;
      extents[split->outer.name] = CeilDiv(extent, factor);
      extents[split->inner.name] = std::min(factor, extent);
    } else {
      const auto& fuse = std::get<FuseRelation>(relation);
      extents[fuse.fused.name] =
          extents[fuse.outer.name] * extents[fuse.inner.name];
    }
  }
  return extents;
}

AxisValues::AxisValues(const StageState& stage, const AxisExtents& extents)
    : stage_(stage), extents_(extents) {
  for (const Leaf& leaf : stage.leaves) {
    values_[leaf.axis.name] =
        extents.at(leaf.axis.name) == 1 ? Expr(0) : leaf.axis.var;
  }
  for (auto r = stage.relations.rbegin(); r != stage.relations.rend(); ++r) {
    if (const auto* split = std::get_if<SplitRelation>(&*r)) {
      AddSplit(*split);
    } else {
      AddFuse(std::get<FuseRelation>(*r));
    }
  }
}

void AxisValues::AddSplit(const SplitRelation& split) {
  const int64_t extent = extents_.at(split.parent.name);
  const int64_t tile = extents_.at(split.inner.name);
  const bool exact = extents_.at(split.outer.name) * tile == extent;
  // A factor larger than the region gives a single outer iteration.
  Expr start = values_[split.outer.name] * static_cast<int>(tile);
  if (!exact && split.tail == Tail::kShiftInwards) {
    start = expr::Min(start, static_cast<int>(extent - tile));
  }
  const Expr value = start + values_[split.inner.name];
  values_[split.parent.name] = value;
  if (!exact && split.tail == Tail::kGuardWithIf) {
    guards_.push_back({value < static_cast<int>(extent), split.parent.kind,
                       InnermostLeaf(stage_, value)});
  }
}

void AxisValues::AddFuse(const FuseRelation& fuse) {
  const int64_t inner = extents_.at(fuse.inner.name);
  const Expr fused = values_[fuse.fused.name];
  // A remainder would prevent simplification if a guarded split lets the fused
  // axis exceed its extent.
  if (extents_.at(fuse.outer.name) == 1) {
    values_[fuse.outer.name] = Expr(0);
    values_[fuse.inner.name] = fused;
    return;
  }
  const Expr divisor = static_cast<int>(std::max<int64_t>(inner, 1));
  values_[fuse.outer.name] = inner == 1 ? fused : fused / divisor;
  values_[fuse.inner.name] = inner == 1 ? Expr(0) : fused % divisor;
}

}  // namespace assay::schedule
