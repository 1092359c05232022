#include "compiler/frontend/onnx/testing/small_model.h"

#include "compiler/graph/reference/evaluate.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"
#include "runtime/base/ndarray.h"

namespace assay::frontend {

onnx::ModelProto ModelOfX(const Shape& x,
                          const std::vector<std::string>& outputs, int opset) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(opset);
  model.mutable_graph()->set_name("g");
  DeclareFloats(*model.mutable_graph()->add_input(), "x", x);
  for (const std::string& name : outputs) {
    model.mutable_graph()->add_output()->set_name(name);
  }
  return model;
}

void DeclareFloats(onnx::ValueInfoProto& value, const std::string& name,
                   const Shape& shape) {
  value.set_name(name);
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(onnx::TensorProto::FLOAT);
  tensor.mutable_shape();
  for (const int64_t extent : shape) {
    tensor.mutable_shape()->add_dim()->set_dim_value(extent);
  }
}

onnx::NodeProto& AddNode(onnx::GraphProto& graph, const std::string& op,
                         const std::vector<std::string>& inputs,
                         const std::vector<std::string>& outputs) {
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(op);
  for (const std::string& input : inputs) node.add_input(input);
  for (const std::string& output : outputs) node.add_output(output);
  return node;
}

onnx::GraphProto& AddBody(onnx::NodeProto& node, const std::string& name) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::GRAPH);
  return *attribute.mutable_g();
}

void SetInt(onnx::NodeProto& node, const std::string& name, int64_t value) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

std::vector<std::vector<float>> OutputsOf(const onnx::ModelProto& model,
                                          const ImportOptions& options) {
  const auto graph = ImportOnnxModel(model, options);
  if (!graph.ok()) {
    ADD_FAILURE() << graph.status();
    return {};
  }
  std::vector<NDArray> inputs;
  for (const graph::Node* input : (*graph)->inputs()) {
    NDArray array(input->type().dtype, input->type().shape);
    for (int64_t i = 0; i < array.num_elements(); ++i) {
      if (array.dtype().is_float()) {
        StoreFloat(array, i, static_cast<double>(i + 1));
      } else {
        StoreInt(array, i, i + 1);
      }
    }
    inputs.push_back(array);
  }
  const auto results = graph::Evaluate(**graph, inputs);
  if (!results.ok()) {
    ADD_FAILURE() << results.status();
    return {};
  }
  std::vector<std::vector<float>> values;
  for (const NDArray& result : *results) {
    std::vector<float>& elements = values.emplace_back();
    for (int64_t i = 0; i < result.num_elements(); ++i) {
      elements.push_back(result.dtype().is_float()
                             ? static_cast<float>(LoadFloat(result, i))
                             : static_cast<float>(LoadInt(result, i)));
    }
  }
  return values;
}

std::string ErrorOf(const onnx::ModelProto& model,
                    const ImportOptions& options) {
  const auto graph = ImportOnnxModel(model, options);
  return graph.ok() ? "" : std::string(graph.status().message());
}

}  // namespace assay::frontend
