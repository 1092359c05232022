// Functions that a model defines: operators whose meaning is a list of nodes.
// A call of one is replaced by its nodes (import.cc).
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_FUNCTIONS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_FUNCTIONS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

// `ai.onnx` is the empty domain by another name.
bool SameDomain(const std::string& a, const std::string& b);

// The function that a node calls; null where it is an operator. A function goes
// before an operator of its name.
const onnx::FunctionProto* FindFunction(const onnx::ModelProto& model,
                                        const onnx::NodeProto& node);

// That no function is defined twice, and that each has names for what it takes
// and gives.
absl::Status CheckFunctions(const onnx::ModelProto& model);

// The opset of the function's nodes: its own, or else that of the model.
absl::StatusOr<int> FunctionOpset(const onnx::FunctionProto& function,
                                  int model_opset);

// The function's nodes with the attributes of the call `node`, and without the
// operands that it leaves out. An attribute that is a graph is not supported:
// every use of it would be a copy.
absl::StatusOr<google::protobuf::RepeatedPtrField<onnx::NodeProto>> CallBody(
    const onnx::FunctionProto& function, const onnx::NodeProto& node);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_FUNCTIONS_H_
