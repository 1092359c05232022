// Model-local functions of ONNX: a model can define an operator by a list of
// nodes. The importer (import.cc) replaces each call of a function by copies of
// these nodes.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_FUNCTIONS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_FUNCTIONS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

// Returns true if `a` and `b` name the same domain. `ai.onnx` and the empty
// string name the same domain.
bool SameDomain(const std::string& a, const std::string& b);

// Returns the function of `model` that `node` calls; null if the node is not a
// call. Functions of the same name differ in their overloads. If a function and
// an operator have the same name, the function is used.
const onnx::FunctionProto* FindFunction(const onnx::ModelProto& model,
                                        const onnx::NodeProto& node);

// Returns InvalidArgument if a function is defined twice, or if the inputs (or
// the outputs) of a function do not have distinct, non-empty names.
absl::Status CheckFunctions(const onnx::ModelProto& model);

// Returns the opset of the nodes of `function`: the opset that the function
// imports, or `model_opset` if it imports none. Returns Unimplemented if the
// opset is not supported.
absl::StatusOr<int> FunctionOpset(const onnx::FunctionProto& function,
                                  int model_opset);

// Returns copies of the nodes of `function` for the call `node`. References to
// attributes of the function are replaced by the attributes of the call, or by
// the default values of those that the call leaves out. An operand that the
// call leaves out is also left out in the nodes that read it.
// Returns Unimplemented if an attribute of the call is a graph, because every
// reference to the attribute would be replaced by a copy of the graph. Returns
// InvalidArgument if the call sets an attribute that the function does not
// declare.
absl::StatusOr<google::protobuf::RepeatedPtrField<onnx::NodeProto>> CallBody(
    const onnx::FunctionProto& function, const onnx::NodeProto& node);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_FUNCTIONS_H_
