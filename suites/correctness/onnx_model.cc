#include "suites/correctness/onnx_model.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/frontend/onnx/proto/external_data.h"
#include "compiler/graph/quantization/fake_quantization_to_integer.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/hash_file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

void Hash(const std::map<std::string, int64_t>& dims, Sha256* sha) {
  for (const auto& [name, extent] : dims) {
    sha->Update(
        absl::StrCat("dim ", name.size(), ":", name, "=", extent, "\n"));
  }
}

// The facts about a file that the harness needs.
struct FileFacts {
  bool quantized = false;
  bool has_inexact_products = false;
  // The external data files of all tensors, relative to the model file.
  std::set<std::string> external;
};

// Collects the facts of all nodes and tensors of a model.
class FactFinder {
 public:
  FileFacts Find(const onnx::ModelProto& model) {
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
      if (entry.key() == "location") facts_.external.insert(entry.value());
    }
  }

  FileFacts facts_;
};

FileFacts FactsOf(const std::string& bytes) {
  onnx::ModelProto model;
  if (!model.ParseFromString(bytes)) return {};
  return FactFinder().Find(model);
}

void SetFacts(const FileFacts& facts, Model* model) {
  model->quantized = facts.quantized;
  model->has_inexact_products = facts.has_inexact_products;
}

using Dims = std::map<std::string, int64_t>;

// Returns a model with the graph that `import` returns, the time that this
// takes, and the warnings.
absl::StatusOr<Model> Import(
    const Dims& dims, int64_t max_memory,
    absl::FunctionRef<absl::StatusOr<std::unique_ptr<graph::Graph>>(
        const frontend::ImportOptions&)>
        import) {
  Model model;
  frontend::ImportOptions options;
  options.max_memory = max_memory;
  options.dims = dims;
  options.warn = [&model](const std::string& warning) {
    model.warnings.push_back(warning);
  };
  const int64_t start = MonotonicNanos();
  ASSAY_ASSIGN_OR_RETURN(model.graph, import(options));
  model.import_ms = static_cast<double>(MonotonicNanos() - start) / 1e6;
  std::unique_ptr<graph::Graph> integers = model.graph->Clone();
  ASSAY_ASSIGN_OR_RETURN(const bool changed,
                         graph::FakeQuantizationToInteger().Run(*integers));
  if (changed) model.integer_graph = std::move(integers);
  return model;
}

}  // namespace

absl::StatusOr<Model> LoadOnnxFile(const std::string& path, const Dims& dims,
                                   int64_t max_memory) {
  // Import first, because it rejects locations outside the model's folder.
  ASSAY_ASSIGN_OR_RETURN(
      Model model,
      Import(dims, max_memory, [&](const frontend::ImportOptions& options) {
        return frontend::ImportOnnxFile(path, options);
      }));
  Sha256 sha;
  const int64_t max_bytes = std::min(kMaxFileBytes, max_memory);
  ASSAY_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path, max_bytes));
  sha.Update(bytes);
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const FileFacts facts = FactsOf(bytes);
  SetFacts(facts, &model);
  model.onnx = std::make_shared<std::string>(bytes);
  if (!facts.external.empty()) model.file_with_external_data = path;
  for (const std::string& file : facts.external) {
    const absl::StatusOr<std::string> found =
        frontend::FindExternalFile(folder.empty() ? "." : folder, file);
    if (!found.ok()) {
      return absl::Status(
          found.status().code(),
          absl::StrCat("`", path, "`: a tensor's ", found.status().message()));
    }
    Sha256 data;
    ASSAY_RETURN_IF_ERROR(HashFile(*found, data).status());
    sha.Update(absl::StrCat("\nfile ", HexOf(data.Finish()), "\n"));
  }
  Hash(dims, &sha);
  model.digest = HexOf(sha.Finish());
  const absl::string_view file =
      absl::string_view(path).substr(path.rfind('/') + 1);
  model.name = std::string(absl::StripSuffix(file, ".onnx"));
  return model;
}

absl::StatusOr<Model> LoadOnnxBytes(absl::string_view name,
                                    absl::string_view bytes, const Dims& dims,
                                    int64_t max_memory) {
  ASSAY_ASSIGN_OR_RETURN(
      Model model,
      Import(dims, max_memory, [&](const frontend::ImportOptions& options) {
        return frontend::ImportOnnxBytes(bytes, options);
      }));
  model.name = std::string(name);
  model.onnx = std::make_shared<std::string>(bytes);
  SetFacts(FactsOf(*model.onnx), &model);
  Sha256 sha;
  sha.Update(bytes);
  Hash(dims, &sha);
  model.digest = HexOf(sha.Finish());
  return model;
}

}  // namespace assay::suites
