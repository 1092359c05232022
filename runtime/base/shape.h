// Shape: the extents of a tensor's dimensions, outermost dimension first. A
// scalar has rank 0. All extents are known numbers >= 0: the importer
// (compiler/frontend/onnx) replaces symbolic dimensions by numbers.
#ifndef ASSAY_RUNTIME_BASE_SHAPE_H_
#define ASSAY_RUNTIME_BASE_SHAPE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay {

using Shape = std::vector<int64_t>;

// Returns the product of the extents; 1 for a scalar. CHECK-fails if
// CheckedNumElements() would return an error. Use CheckedNumElements() for
// shapes from untrusted input.
int64_t NumElements(absl::Span<const int64_t> shape);

// Like NumElements(), but returns InvalidArgument if an extent is negative or
// the product of the non-zero extents exceeds 2^40.
absl::StatusOr<int64_t> CheckedNumElements(absl::Span<const int64_t> shape);

// Returns the row-major strides in elements.
Shape RowMajorStrides(absl::Span<const int64_t> shape);

// Formats a shape as `[1,3,224,224]`; a scalar as `[]`.
std::string ShapeToString(absl::Span<const int64_t> shape);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_SHAPE_H_
