// Storage: where in its buffer a stage keeps the elements of its region.
//
// As it comes, a buffer has the shape of the region, and an element stands at
// its offset in the region. The schedule changes that in four ways:
//
// - transform_layout: the buffer has other dimensions, each a dimension of the
//   region, its quotient or its remainder by a factor.
// - storage_align: a dimension is padded so that the stride of the one before
//   it is a multiple, plus an offset. Where no padding of one dimension gives
//   that stride, those inside of it become one.
// - double_buffer: a dimension of 2 more in front; the iterations of the loop
//   that the stage is computed at use its halves in turn.
// - rolling_buffer: in the dimensions along which the region moves with that
//   loop, an element stands at its index in the tensor modulo the extent of the
//   region. So what two regions share stays where it is.
//
// The last two make the buffer outlive an iteration of the loop.
#ifndef ASSAY_COMPILER_LOWER_STORAGE_H_
#define ASSAY_COMPILER_LOWER_STORAGE_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/lower/bound_inference.h"
#include "compiler/schedule/axis_values.h"
#include "compiler/schedule/schedule.h"

namespace assay::lower {

class Storage {
 public:
  // Of one of the stage's tensors, which is no parameter.
  Storage(const schedule::Stage& stage, int tensor,
          const ScheduleBounds& bounds);

  const expr::Buffer& buffer() const { return buffer_; }
  // The indices of the element at `offsets` in the region.
  std::vector<expr::Expr> At(const std::vector<expr::Expr>& offsets) const;

  // Plain where the loop that the stage is computed at has one iteration.
  schedule::Buffering buffering() const { return buffering_; }
  // For a rolling buffer: that the last iteration did not compute the element
  // that the stage's leaves stand at. None if the region does not move.
  const std::optional<schedule::Guard>& is_new() const { return is_new_; }

 private:
  // The sum of offsets times strides that indexes one dimension of the buffer.
  using Terms = std::vector<std::pair<int, int64_t>>;

  void Align(const schedule::StageState& state);
  void Roll(const schedule::Stage& stage, const ScheduleBounds& bounds);

  schedule::Buffering buffering_ = schedule::Buffering::kPlain;
  expr::Expr loop_var_;  // of the loop that the stage is computed at
  std::vector<schedule::LayoutDim> layout_;
  Shape shape_;
  std::vector<Terms> terms_;
  // For dimensions that roll: where the region starts, and its extent.
  std::vector<std::optional<std::pair<expr::Expr, int64_t>>> rolling_;
  std::optional<schedule::Guard> is_new_;
  expr::Buffer buffer_;
};

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_STORAGE_H_
