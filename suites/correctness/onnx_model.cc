#include "suites/correctness/onnx_model.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "compiler/frontend/onnx/import.h"
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

double MillisSince(int64_t start_nanos) {
  return static_cast<double>(MonotonicNanos() - start_nanos) / 1e6;
}

// Adds the external data files of the initializers of a graph and of the graphs
// in its nodes (bodies of If, Loop and Scan).
void AddExternalFiles(const onnx::GraphProto& graph,
                      std::set<std::string>* files) {
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL) continue;
    for (const auto& entry : tensor.external_data()) {
      if (entry.key() == "location") files->insert(entry.value());
    }
  }
  for (const onnx::NodeProto& node : graph.node()) {
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) AddExternalFiles(attribute.g(), files);
    }
  }
}

// Returns true if a node of the graph or of a graph in its nodes is quantized.
bool HasQuantizedNode(const onnx::GraphProto& graph) {
  for (const onnx::NodeProto& node : graph.node()) {
    for (const char* word : {"Quantize", "QLinear", "Integer", "QGemm"}) {
      if (absl::StrContains(node.op_type(), word)) return true;
    }
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g() && HasQuantizedNode(attribute.g())) return true;
    }
  }
  return false;
}

struct FileFacts {
  bool quantized = false;
  // The external data files of the model, relative to the model file.
  std::set<std::string> external;
};

FileFacts FactsOf(const std::string& bytes) {
  FileFacts facts;
  onnx::ModelProto model;
  if (!model.ParseFromString(bytes)) return facts;
  facts.quantized = HasQuantizedNode(model.graph());
  AddExternalFiles(model.graph(), &facts.external);
  return facts;
}

}  // namespace

absl::StatusOr<Model> LoadOnnxFile(const std::string& path,
                                   const std::map<std::string, int64_t>& dims,
                                   int64_t max_memory) {
  frontend::ImportOptions options;
  options.max_memory = max_memory;
  options.dims = dims;
  Model model;
  options.warn = [&model](const std::string& warning) {
    model.warnings.push_back(warning);
  };
  // Import first, because it rejects locations outside the model's folder.
  const int64_t start = MonotonicNanos();
  ASSAY_ASSIGN_OR_RETURN(model.graph, frontend::ImportOnnxFile(path, options));
  model.import_ms = MillisSince(start);

  Sha256 sha;
  const int64_t max_bytes = std::min(kMaxFileBytes, max_memory);
  ASSAY_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path, max_bytes));
  sha.Update(bytes);
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const FileFacts facts = FactsOf(bytes);
  model.quantized = facts.quantized;
  if (facts.external.empty()) model.onnx = std::make_shared<std::string>(bytes);
  for (const std::string& file : facts.external) {
    Sha256 data;
    ASSAY_RETURN_IF_ERROR(HashFile(folder + file, data).status());
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
                                    absl::string_view bytes,
                                    const std::map<std::string, int64_t>& dims,
                                    int64_t max_memory) {
  frontend::ImportOptions options;
  options.max_memory = max_memory;
  options.dims = dims;
  Model model;
  options.warn = [&model](const std::string& warning) {
    model.warnings.push_back(warning);
  };
  model.name = std::string(name);
  model.onnx = std::make_shared<std::string>(bytes);
  model.quantized = FactsOf(*model.onnx).quantized;
  const int64_t start = MonotonicNanos();
  ASSAY_ASSIGN_OR_RETURN(model.graph,
                         frontend::ImportOnnxBytes(bytes, options));
  model.import_ms = MillisSince(start);
  Sha256 sha;
  sha.Update(bytes);
  Hash(dims, &sha);
  model.digest = HexOf(sha.Finish());
  return model;
}

}  // namespace assay::suites
