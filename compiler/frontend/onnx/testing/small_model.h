// Functions that build and run small ONNX models with several nodes, bodies and
// functions, for tests. OneNode (one_node.h) is for models with one node.
//
//   onnx::ModelProto model = ModelOfX({2}, {"y"});
//   AddNode(*model.mutable_graph(), "Neg", {"x"}, {"y"});
//   OutputsOf(model);  // {{-1, -2}}
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_TESTING_SMALL_MODEL_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_TESTING_SMALL_MODEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/import.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/shape.h"

namespace assay::frontend {

// Returns a model with the float32 input `x` and the outputs `outputs`, whose
// types are not declared.
onnx::ModelProto ModelOfX(const Shape& x,
                          const std::vector<std::string>& outputs,
                          int opset = 13);

// Declares `value` as a float32 tensor.
void DeclareFloats(onnx::ValueInfoProto& value, const std::string& name,
                   const Shape& shape);

// Adds a node. An empty input name leaves out an operand.
onnx::NodeProto& AddNode(onnx::GraphProto& graph, const std::string& op,
                         const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs);

// Adds the graph attribute `name` to a node.
onnx::GraphProto& AddBody(onnx::NodeProto& node, const std::string& name);

// Adds the integer attribute `name` to a node.
void SetInt(onnx::NodeProto& node, const std::string& name, int64_t value);

// Adds a scalar initializer.
template <typename T>
void AddScalar(onnx::GraphProto& graph, const std::string& name,
               onnx::TensorProto::DataType type, T value) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(type);
  tensor.set_raw_data(
      std::string(reinterpret_cast<const char*>(&value), sizeof(value)));
}

// Imports and evaluates the model. The elements of each input are 1, 2, 3, ….
// Returns the elements of each output of the graph as float. If there is an
// error, fails the test and returns nothing.
std::vector<std::vector<float>> OutputsOf(const onnx::ModelProto& model,
                                          const ImportOptions& options = {});

// Returns the message of the error with which the import of the model fails;
// empty if it does not fail.
std::string ErrorOf(const onnx::ModelProto& model,
                    const ImportOptions& options = {});

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_TESTING_SMALL_MODEL_H_
