// Functions on float32 arrays, for tests that compare the results of nodes with
// loops over the definitions of their operators.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_TESTING_FLOAT_ARRAY_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_TESTING_FLOAT_ARRAY_H_

#include <cstdint>
#include <vector>

#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"

namespace assay::frontend {

// Returns an array of random multiples of 1/8 in [-1.125, 1.125].
NDArray Eighths(const Shape& shape, uint64_t seed);

// Returns the element of `x` at `index`.
double At(const NDArray& x, const Shape& index);

// Returns the elements of `x` in row-major order.
std::vector<float> ToFloats(const NDArray& x);

// Expects that `actual` has as many elements as `expected`, and that no element
// differs by more than `tolerance` times one plus the magnitude of the expected
// element.
void ExpectNear(const std::vector<float>& actual,
                const std::vector<float>& expected, float tolerance = 1e-5f);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_TESTING_FLOAT_ARRAY_H_
