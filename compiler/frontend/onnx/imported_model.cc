#include "compiler/frontend/onnx/imported_model.h"

#include <utility>

#include "absl/strings/match.h"

namespace assay::frontend {
namespace {

// Collects the facts of all nodes and tensors of a model.
class FactFinder {
 public:
  ModelFacts Find(const onnx::ModelProto& model) {
    VisitGraph(model.graph());
    for (const onnx::FunctionProto& function : model.functions()) {
      VisitNodes(function.node());
    }
    for (const onnx::TrainingInfoProto& training : model.training_info()) {
      VisitGraph(training.initialization());
      VisitGraph(training.algorithm());
    }
    return std::move(facts_);
  }

 private:
  void VisitGraph(const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) VisitTensor(tensor);
    for (const auto& tensor : graph.sparse_initializer()) VisitSparse(tensor);
    VisitNodes(graph.node());
  }

  template <typename Nodes>
  void VisitNodes(const Nodes& nodes) {
    for (const onnx::NodeProto& node : nodes) {
      for (const char* word : {"Quantize", "QLinear", "Integer", "QGemm"}) {
        if (absl::StrContains(node.op_type(), word)) facts_.quantized = true;
      }
      if (facts_.quantized || node.op_type() == "MatMulNBits") {
        facts_.has_inexact_products = true;
      }
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        VisitAttribute(attribute);
      }
    }
  }

  void VisitAttribute(const onnx::AttributeProto& attribute) {
    if (attribute.has_g()) VisitGraph(attribute.g());
    if (attribute.has_t()) VisitTensor(attribute.t());
    if (attribute.has_sparse_tensor()) VisitSparse(attribute.sparse_tensor());
    for (const auto& graph : attribute.graphs()) VisitGraph(graph);
    for (const auto& tensor : attribute.tensors()) VisitTensor(tensor);
    for (const auto& tensor : attribute.sparse_tensors()) VisitSparse(tensor);
  }

  void VisitSparse(const onnx::SparseTensorProto& tensor) {
    VisitTensor(tensor.values());
    VisitTensor(tensor.indices());
  }

  void VisitTensor(const onnx::TensorProto& tensor) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return;
    for (const auto& entry : tensor.external_data()) {
      if (entry.key() == "location")
        facts_.external_files.insert(entry.value());
    }
  }

  ModelFacts facts_;
};

}  // namespace

ModelFacts FindFacts(const onnx::ModelProto& model) {
  return FactFinder().Find(model);
}

}  // namespace assay::frontend
