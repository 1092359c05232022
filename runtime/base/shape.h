// Shape: the extents of a tensor's dimensions, outermost first, in row-major
// order. A scalar has rank 0. All extents are static and non-negative; the
// importer (compiler/frontend/onnx) binds symbolic dimensions first.
#ifndef ASSAY_RUNTIME_BASE_SHAPE_H_
#define ASSAY_RUNTIME_BASE_SHAPE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay {

using Shape = std::vector<int64_t>;

// The product of the extents, 1 for a scalar. CHECK-fails if
// CheckedNumElements() would return an error; use that function for shapes from
// untrusted input.
int64_t NumElements(absl::Span<const int64_t> shape);

// Like NumElements(), but returns InvalidArgument if an extent is negative or
// the product exceeds 2^40.
absl::StatusOr<int64_t> CheckedNumElements(absl::Span<const int64_t> shape);

// Row-major strides in elements.
Shape RowMajorStrides(absl::Span<const int64_t> shape);

// `[1,3,224,224]`; `[]` for a scalar.
std::string ShapeToString(absl::Span<const int64_t> shape);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_SHAPE_H_
