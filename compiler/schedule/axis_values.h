// AxisValues: expresses the value of every axis of a stage by the loop
// variables of the leaves, which are the axes that remain after all splits and
// fusions. It also returns the guards that exclude iterations beyond the extent
// of an axis.
//
// Example: axis y of extent 10, split by 4:  y = y.o * 4 + y.i, guard y < 10
//
// The extents of the axes are an argument. Lowering passes the extents of the
// region that a stage computes; rfactor passes the extents of the whole tensor.
#ifndef ASSAY_COMPILER_SCHEDULE_AXIS_VALUES_H_
#define ASSAY_COMPILER_SCHEDULE_AXIS_VALUES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/schedule/stage.h"

namespace assay::schedule {

// Extents of axes by name.
using AxisExtents = std::map<std::string, int64_t>;

// Returns the extents of all axes of the stage, including axes that were split
// or fused. data_extents[i] is the number of elements that are computed along
// dimension i of the tensor.
AxisExtents ExtentsOf(const StageState& stage,
                      const std::vector<int64_t>& data_extents);

// A condition under which an iteration is executed. If a split with
// Tail::kGuardWithIf does not divide the extent of its axis, a guard excludes
// the iterations beyond the end of the axis.
struct Guard {
  expr::Expr condition;
  AxisKind kind = AxisKind::kData;
  // Index in StageState::leaves of the innermost leaf on which the condition
  // depends.
  int position = 0;
};

class AxisValues {
 public:
  // `extents` must be a result of ExtentsOf(stage, …).
  AxisValues(const StageState& stage, const AxisExtents& extents);

  // Returns the value of `axis`, which may have been split or fused.
  const expr::Expr& operator[](const Axis& axis) const {
    return values_.at(axis.name);
  }
  const std::vector<Guard>& guards() const { return guards_; }

 private:
  void AddSplit(const SplitRelation& split);
  void AddFuse(const FuseRelation& fuse);

  const StageState& stage_;
  const AxisExtents& extents_;
  std::map<std::string, expr::Expr> values_;
  std::vector<Guard> guards_;
};

}  // namespace assay::schedule

#endif  // ASSAY_COMPILER_SCHEDULE_AXIS_VALUES_H_
