// What the axes of a stage stand for once splits and fusions have replaced
// them: the values of all axes in terms of the leaves' variables, and the
// conditions under which an iteration exists.
//
//   y, split by 4, of 10:  y = y.o * 4 + y.i, which exists if y < 10
//
// Lowering asks with the extents of the part that a stage computes, rfactor
// with those of the whole tensor.
#ifndef ASSAY_COMPILER_SCHEDULE_AXIS_VALUES_H_
#define ASSAY_COMPILER_SCHEDULE_AXIS_VALUES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/schedule/stage.h"

namespace assay::schedule {

// By the axis' name.
using AxisExtents = std::map<std::string, int64_t>;

// The extents of all axes that the stage has or had, where dimension `i` has
// `data_extents[i]` elements to compute.
AxisExtents ExtentsOf(const StageState& stage,
                      const std::vector<int64_t>& data_extents);

// A condition that iterations must fulfil: those beyond the end of an axis
// whose split does not divide are left out.
struct Guard {
  expr::Expr condition;
  AxisKind kind = AxisKind::kData;
  int position = 0;  // of the innermost leaf that the condition depends on
};

// The position of the innermost leaf whose variable `e` uses, or 0.
int InnermostLeaf(const StageState& stage, const expr::Expr& e);

class AxisValues {
 public:
  AxisValues(const StageState& stage, const AxisExtents& extents);

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
