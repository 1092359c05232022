// Checks of an ONNX model that do not depend on the meaning of its operators.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_MODEL_CHECKS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_MODEL_CHECKS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

// The supported versions of the file format (ir_version). Version 14 of the
// format was introduced together with opset 28.
constexpr int kMinIrVersion = 3;
constexpr int kMaxIrVersion = 14;

// Returns the opset of the domain `ai.onnx`, or kMaxOpset if the model imports
// only other domains and no node needs `ai.onnx`. In this file, a body is a
// graph that is the value of an attribute of a node; the operators If, Loop and
// Scan have bodies. Returns an error if
//   - the version of the file format or the opset is missing or not supported,
//     or the model imports two different opsets;
//   - the model, a function or a body contains an unknown field, unless the
//     field is known to have no effect on the results;
//   - the graph or a body has sparse initializers or quantization annotations;
//   - the model has training information.
absl::StatusOr<int> CheckModel(const onnx::ModelProto& model);

// Checks the names of graph inputs, initializers, results of nodes and graph
// outputs, including those in bodies. Every name must be defined only once in
// its graph, except that an input and an initializer may have the same name. As
// ONNX requires, nodes must be in an order of evaluation, so that every name is
// defined before it is read. The error message distinguishes a cycle from a
// wrong order.
absl::Status CheckNames(const onnx::GraphProto& graph);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_MODEL_CHECKS_H_
