// Storage: maps the elements of the region that a stage computes to elements of
// the stage's buffer.
//
// By default the buffer has the shape of the region, and an element is stored
// at its offset in the region. Three schedule primitives change this mapping:
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
//   The buffer keeps its contents between iterations.
#ifndef ASSAY_COMPILER_LOWER_STORAGE_H_
#define ASSAY_COMPILER_LOWER_STORAGE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/lower/bound_inference.h"
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

  // Returns true if the schedule requests a double buffer, unless the loop at
  // which the stage is computed has a single iteration.
  bool is_double() const { return is_double_; }

 private:
  // Represents a buffer index as a linear combination of the indices that
  // `layout_` describes. Each pair is a position in `layout_` and a
  // coefficient.
  using Terms = std::vector<std::pair<int, int64_t>>;

  void Align(const schedule::StageState& state);

  bool is_double_ = false;
  // Variable of the loop at which the stage is computed.
  expr::Expr loop_var_;
  std::vector<schedule::LayoutDim> layout_;
  Shape shape_;
  std::vector<Terms> terms_;
  expr::Buffer buffer_;
};

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_STORAGE_H_
