// Values of the axes of a stage after splits and fusions: every axis as an
// expression of the leaves' loop variables, and the guards of iterations that
// exceed the extent.
//
//   y, split by 4, of 10:  y = y.o * 4 + y.i, guarded by y < 10
//
// Lowering uses the extents of the region that a stage computes, rfactor those
// of the whole tensor.
#ifndef ASSAY_COMPILER_SCHEDULE_AXIS_VALUES_H_
#define ASSAY_COMPILER_SCHEDULE_AXIS_VALUES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/schedule/stage.h"

namespace assay::schedule {

// Indexed by axis name.
using AxisExtents = std::map<std::string, int64_t>;

// The extents of all current and former axes of the stage, if `data_extents[i]`
// elements of dimension `i` are computed.
AxisExtents ExtentsOf(const StageState& stage,
                      const std::vector<int64_t>& data_extents);

// A condition under which an iteration is executed. Guards exclude the
// iterations beyond the end of an axis whose extent is not divisible by its
// split factor.
struct Guard {
  expr::Expr condition;
  AxisKind kind = AxisKind::kData;
  int position = 0;  // of the innermost leaf on which the condition depends
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
