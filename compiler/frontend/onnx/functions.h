// Functions that a model defines: operators that are defined by a list of
// nodes. The importer replaces a call by these nodes (import.cc).
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_FUNCTIONS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_FUNCTIONS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

// Returns true for the empty domain and its other name, `ai.onnx`.
bool SameDomain(const std::string& a, const std::string& b);

// The function that a node calls; null if it is an operator. A function takes
// precedence over an operator of the same name.
const onnx::FunctionProto* FindFunction(const onnx::ModelProto& model,
                                        const onnx::NodeProto& node);

// Checks that no function is defined twice, and that inputs and outputs of
// functions have names.
absl::Status CheckFunctions(const onnx::ModelProto& model);

// The opset of the function's nodes: its own, otherwise that of the model.
absl::StatusOr<int> FunctionOpset(const onnx::FunctionProto& function,
                                  int model_opset);

// The nodes of the function with the attributes of the call `node`, and without
// the operands that it leaves out. Attributes that are graphs are not
// supported, because every use would be a copy.
absl::StatusOr<google::protobuf::RepeatedPtrField<onnx::NodeProto>> CallBody(
    const onnx::FunctionProto& function, const onnx::NodeProto& node);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_FUNCTIONS_H_
