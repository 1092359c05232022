#include "suites/references/exact_model.h"

#include "onnx/onnx.pb.h"

namespace assay::suites {
namespace {

template <typename Nodes>
bool ForbidRounding(Nodes* nodes) {
  bool changed = false;
  for (onnx::NodeProto& node : *nodes) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (node.op_type() == "MatMulNBits" &&
          attribute.name() == "accuracy_level" && attribute.i() != 0) {
        attribute.set_i(0);
        changed = true;
      }
      if (attribute.has_g()) {
        changed |= ForbidRounding(attribute.mutable_g()->mutable_node());
      }
      for (onnx::GraphProto& graph : *attribute.mutable_graphs()) {
        changed |= ForbidRounding(graph.mutable_node());
      }
    }
  }
  return changed;
}

}  // namespace

std::optional<std::string> WithExactProducts(absl::string_view bytes) {
  onnx::ModelProto model;
  if (!model.ParseFromString(std::string(bytes))) return std::nullopt;
  bool changed = ForbidRounding(model.mutable_graph()->mutable_node());
  for (onnx::FunctionProto& function : *model.mutable_functions()) {
    changed |= ForbidRounding(function.mutable_node());
  }
  if (!changed) return std::nullopt;
  return model.SerializeAsString();
}

}  // namespace assay::suites
