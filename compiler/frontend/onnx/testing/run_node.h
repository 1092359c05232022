// RunNode: runs an ONNX model of one node in the reference interpreter, for
// tests that compare with their own loops.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_TESTING_RUN_NODE_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_TESTING_RUN_NODE_H_

#include <cstdint>
#include <vector>

#include "compiler/frontend/onnx/testing/one_node.h"
#include "runtime/base/ndarray.h"

namespace assay::frontend {

// Returns the outputs for the inputs in order. If the model cannot be imported
// or evaluated, fails the test and returns nothing.
std::vector<NDArray> RunNode(const OneNode& node,
                             const std::vector<NDArray>& inputs);

// The elements of the only output.
std::vector<float> RunFloats(const OneNode& node,
                             const std::vector<NDArray>& inputs);

// Small integers that depend on the seed.
NDArray WholeNumbers(const Shape& shape, uint64_t seed);

// Every index of a shape, in row-major order.
std::vector<Shape> IndicesOf(const Shape& shape);
int64_t PlaceOf(const Shape& index, const Shape& shape);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_TESTING_RUN_NODE_H_
