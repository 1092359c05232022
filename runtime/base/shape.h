// Shape: the extents of a tensor, outermost first, row-major. A scalar has
// rank 0. Extents are non-negative and known; a symbolic extent is bound
// before a shape exists (compiler/frontend/onnx).
#ifndef ASSAY_RUNTIME_BASE_SHAPE_H_
#define ASSAY_RUNTIME_BASE_SHAPE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay {

using Shape = std::vector<int64_t>;

// Product of the extents, 1 for a scalar. CHECK-fails on overflow: use
// CheckedNumElements on shapes that come from outside.
int64_t NumElements(absl::Span<const int64_t> shape);

// The same for shapes nobody has vouched for: an error where an extent is
// negative or where the product exceeds 2^40 elements.
absl::StatusOr<int64_t> CheckedNumElements(absl::Span<const int64_t> shape);

// Row-major strides in elements.
Shape RowMajorStrides(absl::Span<const int64_t> shape);

// `[1,3,224,224]`; `[]` for a scalar.
std::string ShapeToString(absl::Span<const int64_t> shape);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_SHAPE_H_
