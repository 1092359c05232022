// Checks of a model that need no knowledge of its operators: its version is
// supported, it uses no unsupported part of ONNX, and its graph is valid: every
// name is defined once, and before it is read.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_MODEL_CHECKS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_MODEL_CHECKS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

// File format versions; 10 came with opset 21.
constexpr int kMinIrVersion = 3;
constexpr int kMaxIrVersion = 10;

// Checks versions, functions, training information and unknown fields. Returns
// the opset of the domain `ai.onnx`.
absl::StatusOr<int> CheckModel(const onnx::ModelProto& model);

// Checks names of inputs, initializers, results and outputs. Nodes must be in
// an order of evaluation, as ONNX requires; the error distinguishes a cycle
// from a wrong order.
absl::Status CheckNames(const onnx::GraphProto& graph);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_MODEL_CHECKS_H_
