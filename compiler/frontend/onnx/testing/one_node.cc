#include "compiler/frontend/onnx/testing/one_node.h"

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/quantization/fake_quantization_to_integer.h"
#include "compiler/graph/verifier.h"
#include "suites/models/onnx_builder.h"

namespace assay::frontend {
namespace {

std::string TextOf(const graph::Graph& graph) {
  if (const absl::Status status = graph::Verify(graph); !status.ok()) {
    return absl::StrCat("wrong graph: ", status.message());
  }
  std::string text;
  for (const graph::Node* node : graph.Nodes()) {
    const bool weights =
        node->kind() == graph::OpKind::kConstant && !graph.IsOutput(node);
    if (node->kind() == graph::OpKind::kInput || weights) continue;
    absl::StrAppend(&text, text.empty() ? "" : "\n", graph::ToString(*node));
  }
  return text;
}

}  // namespace

OneNode::OneNode(absl::string_view op_type, int opset) {
  model_.set_ir_version(suites::IrVersionFor(opset));
  onnx::OperatorSetIdProto* import = model_.add_opset_import();
  import->set_domain("");
  import->set_version(opset);
  model_.mutable_graph()->set_name("g");
  onnx::NodeProto* node = model_.mutable_graph()->add_node();
  node->set_name("n");
  node->set_op_type(std::string(op_type));
  node->add_output("y");
  model_.mutable_graph()->add_output()->set_name("y");
}

std::string OneNode::AddOperand() {
  const std::string name = absl::StrCat("x", node().input_size());
  node().add_input(name);
  return name;
}

OneNode& OneNode::Data(const Shape& shape,
                       onnx::TensorProto::DataType element_type) {
  onnx::ValueInfoProto* input = model_.mutable_graph()->add_input();
  input->set_name(AddOperand());
  auto* type = input->mutable_type()->mutable_tensor_type();
  type->set_elem_type(element_type);
  type->mutable_shape();
  for (const int64_t extent : shape) {
    type->mutable_shape()->add_dim()->set_dim_value(extent);
  }
  return *this;
}

OneNode& OneNode::Constant(const NDArray& value) {
  *model_.mutable_graph()->add_initializer() =
      suites::ToTensorProto(AddOperand(), value);
  return *this;
}

OneNode& OneNode::Weights(const Shape& shape) {
  return Constant(NDArray(DType::Float32(), shape));
}

OneNode& OneNode::Int64s(const std::vector<int64_t>& values) {
  return Constant(NDArray::FromVector<int64_t>(
      {static_cast<int64_t>(values.size())}, values));
}

OneNode& OneNode::LeaveOut() {
  node().add_input("");
  return *this;
}

OneNode& OneNode::Int(absl::string_view name, int64_t value) {
  suites::SetInt(&node(), name, value);
  return *this;
}

OneNode& OneNode::Ints(absl::string_view name,
                       const std::vector<int64_t>& values) {
  suites::SetInts(&node(), name, values);
  return *this;
}

OneNode& OneNode::Float(absl::string_view name, float value) {
  suites::SetFloat(&node(), name, value);
  return *this;
}

OneNode& OneNode::Floats(absl::string_view name,
                         const std::vector<float>& values) {
  onnx::AttributeProto* attribute = node().add_attribute();
  attribute->set_name(std::string(name));
  attribute->set_type(onnx::AttributeProto::FLOATS);
  for (const float value : values) attribute->add_floats(value);
  return *this;
}

OneNode& OneNode::String(absl::string_view name, absl::string_view value) {
  suites::SetString(&node(), name, value);
  return *this;
}

OneNode& OneNode::Result(absl::string_view name) {
  node().add_output(std::string(name));
  return *this;
}

OneNode& OneNode::Output(absl::string_view name) {
  model_.mutable_graph()->add_output()->set_name(std::string(name));
  return Result(name);
}

OneNode& OneNode::Domain(absl::string_view domain) {
  onnx::OperatorSetIdProto* import = model_.add_opset_import();
  import->set_domain(std::string(domain));
  import->set_version(1);
  node().set_domain(std::string(domain));
  return *this;
}

absl::StatusOr<std::unique_ptr<graph::Graph>> OneNode::Import() const {
  return ImportOnnxModel(model_);
}

std::string OneNode::Text() const {
  const auto graph = Import();
  return graph.ok() ? TextOf(**graph)
                    : absl::StrCat("error: ", graph.status().message());
}

std::string OneNode::IntegerText() const {
  const auto graph = Import();
  if (!graph.ok()) return absl::StrCat("error: ", graph.status().message());
  const auto changed = graph::FakeQuantizationToInteger().Run(**graph);
  return changed.ok() ? TextOf(**graph)
                      : absl::StrCat("error: ", changed.status().message());
}

}  // namespace assay::frontend
