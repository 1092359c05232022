// CompareTensors: compares a result with the expected output of a test case.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_

#include "absl/status/status.h"
#include "runtime/base/ndarray.h"

namespace assay::conformance {

// Tolerances for float elements. ONNX's own test runner uses the same values.
constexpr double kRelative = 1e-3;
constexpr double kAbsolute = 1e-7;

// Returns OK if types and shapes are equal and all elements agree:
//   - Integers, bools and infinities must be equal.
//   - NaNs must be at the same positions.
//   - Other floats must differ by at most kAbsolute + kRelative * |wanted|.
// Returns a DataLoss error otherwise. If the types or the shapes differ, the
// message contains the types and shapes of both tensors. If an element differs,
// the message contains the index of the first such element.
absl::Status CompareTensors(const NDArray& actual, const NDArray& wanted);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_
