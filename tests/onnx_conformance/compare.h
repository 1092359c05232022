// CompareTensors: whether a result is the one that a case wants.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_

#include "absl/status/status.h"
#include "runtime/base/ndarray.h"

namespace assay::conformance {

// Type and extents are equal. Integers and bools are equal; floats differ by at
// most kAbsolute + kRelative * |wanted|, as in ONNX's own runner, infinities
// are equal and NaN stands where NaN is wanted. The error names the first
// element that differs.
constexpr double kRelative = 1e-3;
constexpr double kAbsolute = 1e-7;

absl::Status CompareTensors(const NDArray& actual, const NDArray& wanted);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_COMPARE_H_
