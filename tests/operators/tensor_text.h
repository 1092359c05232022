// Tensors as text, for tables of operators and their values:
//
//   float32[2,3] 1 2 nan -inf 1e38 -0
//   uint64[] 18446744073709551615
//
// The element type (DType), the shape, and the elements in row-major order. A
// float may also be hexadecimal, such as 0x1.8p63.
#ifndef ASSAY_TESTS_OPERATORS_TENSOR_TEXT_H_
#define ASSAY_TESTS_OPERATORS_TENSOR_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "runtime/base/ndarray.h"

namespace assay {

// Returns the tensor. CHECK-fails if the text is malformed.
NDArray TensorFromText(absl::string_view text);

// Returns the text of a tensor. Two tensors have the same text if and only if
// they have the same type and shape and the same elements; 0 and -0 differ, and
// all NaNs are the same.
std::string TensorText(const NDArray& tensor);

}  // namespace assay

#endif  // ASSAY_TESTS_OPERATORS_TENSOR_TEXT_H_
