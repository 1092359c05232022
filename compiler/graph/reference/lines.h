// Lines: the positions of the one-dimensional slices of an array along an axis.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_LINES_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_LINES_H_

#include <cstdint>

#include "runtime/base/shape.h"

namespace assay::graph::reference {

// There are `count` lines. Each line has `extent` elements, and the distance of
// neighbouring elements of a line is `stride` elements of the row-major array.
// The array must not be empty.
struct Lines {
  int64_t count, extent, stride;

  Lines(const Shape& shape, int64_t axis)
      : count(NumElements(shape) / shape[axis]),
        extent(shape[axis]),
        stride(RowMajorStrides(shape)[axis]) {}

  // Returns the position of the first element of line `line`, which must be in
  // [0, count).
  int64_t Begin(int64_t line) const {
    return line / stride * stride * extent + line % stride;
  }
};

}  // namespace assay::graph::reference

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_LINES_H_
