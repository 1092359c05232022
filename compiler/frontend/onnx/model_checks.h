// What can be said of a model before any of its operators is understood: that
// its version is one we know, that it uses no part of ONNX we do not read, and
// that its graph is a graph: every name is defined once, and before it is read.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_MODEL_CHECKS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_MODEL_CHECKS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

// File format versions; 10 came with opset 21.
constexpr int kMinIrVersion = 3;
constexpr int kMaxIrVersion = 10;

// Versions, functions, training information, fields of the file that no
// version has. Returns the opset of the domain `ai.onnx`.
absl::StatusOr<int> CheckModel(const onnx::ModelProto& model);

// Names of inputs, initializers, results and outputs. Nodes must come in an
// order of evaluation, as ONNX demands; the error tells a cycle from a wrong
// order.
absl::Status CheckNames(const onnx::GraphProto& graph);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_MODEL_CHECKS_H_
