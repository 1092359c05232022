// CompareTensors: compares a result with the expected output of a case.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_

#include "absl/status/status.h"
#include "runtime/base/ndarray.h"

namespace assay::conformance {

// Returns OK if types and shapes are equal, integers and bools are equal,
// floats differ by at most kAbsolute + kRelative * |wanted|, as in ONNX's own
// runner, infinities are equal, and NaNs are at the same positions. The error
// names the first element that differs.
constexpr double kRelative = 1e-3;
constexpr double kAbsolute = 1e-7;

absl::Status CompareTensors(const NDArray& actual, const NDArray& wanted);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_
