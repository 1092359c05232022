// RunNode: runs an ONNX model with one node in the reference interpreter. It is
// for tests that compute the expected results with their own loops.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_TESTING_RUN_NODE_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_TESTING_RUN_NODE_H_

#include <cstdint>
#include <vector>

#include "compiler/frontend/onnx/testing/one_node.h"
#include "runtime/base/ndarray.h"

namespace assay::frontend {

// Returns the outputs of the model for `inputs`. If the model cannot be
// imported or evaluated, fails the test and returns an empty vector.
std::vector<NDArray> RunNode(const OneNode& node,
                             const std::vector<NDArray>& inputs);

// Returns the elements of the only output, which must be float32. Returns an
// empty vector if there is not exactly one output.
std::vector<float> RunFloats(const OneNode& node,
                             const std::vector<NDArray>& inputs);

// Returns a float32 array of random integers in [-9, 9].
NDArray WholeNumbers(const Shape& shape, uint64_t seed);

// Returns all indices of an array of shape `shape`, in row-major order.
std::vector<Shape> IndicesOf(const Shape& shape);
// Returns the position of the element at `index` in the row-major order of an
// array of shape `shape`.
int64_t PlaceOf(const Shape& index, const Shape& shape);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_TESTING_RUN_NODE_H_
