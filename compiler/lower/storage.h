// Storage: maps the elements of the region that a stage computes to elements of
// the stage's buffer.
//
// By default the buffer has the shape of the region, and an element is stored
// at its offset in the region. Four schedule primitives change this mapping:
//
// - transform_layout: each index of the buffer is i, i / factor or i % factor,
//   where i is an index of the region.
// - storage_align: the stride of a dimension becomes a multiple of a factor,
//   plus an offset. To this end the next inner dimension is padded. If padding
//   that dimension cannot give the stride, all inner dimensions are merged into
//   one, which is padded instead.
// - double_buffer: the buffer has an additional outermost dimension of extent
//   2. The iterations of the loop at which the stage is computed alternate
//   between the two halves of the buffer.
// - rolling_buffer: the region depends on the iteration of the loop at which
//   the stage is computed. In each dimension in which the start of the region
//   depends on the loop variable, the buffer index is the tensor index modulo
//   the extent of the region. An element that belongs to the regions of two
//   consecutive iterations therefore keeps its place in the buffer.
//
// A double or rolling buffer keeps its contents between iterations of the loop
// at which the stage is computed.
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
  // Creates the storage of tensor number `tensor` of `stage`. The tensor must
  // not be a parameter of the kernel.
  Storage(const schedule::Stage& stage, int tensor,
          const ScheduleBounds& bounds);

  const expr::Buffer& buffer() const { return buffer_; }
  // Returns the buffer indices of the element at `offsets` in the region.
  std::vector<expr::Expr> At(const std::vector<expr::Expr>& offsets) const;

  // Returns the buffering that the schedule requests, or kPlain if the loop at
  // which the stage is computed has a single iteration.
  schedule::Buffering buffering() const { return buffering_; }
  // Returns the guard of a rolling buffer. The condition of the guard is true
  // if the current element was not computed in the previous iteration. Returns
  // nullopt for other buffers and for tensors of rank 0.
  const std::optional<schedule::Guard>& is_new() const { return is_new_; }

 private:
  // Represents a buffer index as a linear combination of the indices that
  // `layout_` describes. Each pair is a position in `layout_` and a
  // coefficient.
  using Terms = std::vector<std::pair<int, int64_t>>;

  void Align(const schedule::StageState& state);
  void Roll(const schedule::Stage& stage, const ScheduleBounds& bounds);

  schedule::Buffering buffering_ = schedule::Buffering::kPlain;
  // Variable of the loop at which the stage is computed.
  expr::Expr loop_var_;
  std::vector<schedule::LayoutDim> layout_;
  Shape shape_;
  std::vector<Terms> terms_;
  // One entry per dimension of the tensor: the start and the extent of the
  // region if the buffer rolls along this dimension, otherwise nullopt.
  std::vector<std::optional<std::pair<expr::Expr, int64_t>>> rolling_;
  std::optional<schedule::Guard> is_new_;
  expr::Buffer buffer_;
};

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_STORAGE_H_
