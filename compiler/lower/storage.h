// Storage: the layout of a stage's region in its buffer.
//
// By default a buffer has the shape of the region, and an element is stored at
// its offset in the region. The schedule can change that in four ways:
//
// - transform_layout: the buffer has other dimensions, each a dimension of the
//   region, or its quotient or remainder by a factor.
// - storage_align: a dimension is padded so that the stride of the next outer
//   dimension is a multiple of a factor, plus an offset. If padding one
//   dimension cannot give that stride, the inner dimensions are merged into
//   one.
// - double_buffer: an additional outermost dimension of 2; iterations of the
//   loop that the stage is computed at alternate between the halves.
// - rolling_buffer: in the dimensions along which the region moves with that
//   loop, an element is stored at its tensor index modulo the extent of the
//   region, so that the overlap of consecutive regions stays in place.
//
// With the last two the buffer outlives an iteration of the loop.
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
  // Storage of one of the stage's tensors, which must not be a parameter.
  Storage(const schedule::Stage& stage, int tensor,
          const ScheduleBounds& bounds);

  const expr::Buffer& buffer() const { return buffer_; }
  // The buffer indices of the element at `offsets` in the region.
  std::vector<expr::Expr> At(const std::vector<expr::Expr>& offsets) const;

  // kPlain if the loop that the stage is computed at has a single iteration.
  schedule::Buffering buffering() const { return buffering_; }
  // For a rolling buffer: the guard that the previous iteration did not compute
  // the current element. None if the region does not move.
  const std::optional<schedule::Guard>& is_new() const { return is_new_; }

 private:
  // A buffer index as a linear combination: pairs of offset dimension and
  // stride.
  using Terms = std::vector<std::pair<int, int64_t>>;

  void Align(const schedule::StageState& state);
  void Roll(const schedule::Stage& stage, const ScheduleBounds& bounds);

  schedule::Buffering buffering_ = schedule::Buffering::kPlain;
  expr::Expr loop_var_;  // variable of the loop that the stage is computed at
  std::vector<schedule::LayoutDim> layout_;
  Shape shape_;
  std::vector<Terms> terms_;
  // For rolling dimensions: the start of the region and its extent.
  std::vector<std::optional<std::pair<expr::Expr, int64_t>>> rolling_;
  std::optional<schedule::Guard> is_new_;
  expr::Buffer buffer_;
};

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_STORAGE_H_
