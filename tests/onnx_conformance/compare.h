// CompareTensors: compares a result with the expected output of a test case.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_

#include "absl/status/status.h"
#include "runtime/base/ndarray.h"

namespace assay::conformance {

// How far a finite float may be from the wanted one.
enum class Tolerance {
  // 1e-7 + 1e-3 * |wanted|, as ONNX's own test runner has it.
  kOnnx,
  // 256 units in the last place of float32 and float64 and 4 units of 16-bit
  // floats, both of the wanted element and of the largest finite element of the
  // tensor, but of no more than 1000: results of the same formula in another
  // order of evaluation. Zeros must have the same sign.
  kRounding,
};

// Returns OK if types and shapes are equal and all elements agree:
//   - Integers, bools and infinities must be equal.
//   - NaNs must be at the same positions.
//   - Other floats must agree within `tolerance`.
// Returns a DataLoss error otherwise. If the types or the shapes differ, the
// message contains the types and shapes of both tensors. If an element differs,
// the message contains the index of the first such element.
absl::Status CompareTensors(const NDArray& actual, const NDArray& wanted,
                            Tolerance tolerance = Tolerance::kOnnx);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_
