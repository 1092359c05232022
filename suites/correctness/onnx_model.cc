#include "suites/correctness/onnx_model.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/frontend/onnx/proto/external_data.h"
#include "compiler/graph/quantization/fake_quantization_to_integer.h"
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

using Dims = std::map<std::string, int64_t>;

// Returns a model with what `import` returns, the time that this takes, and the
// warnings. Adds the names of the files of external data to `*external_files`.
absl::StatusOr<Model> Import(
    const Dims& dims, int64_t max_memory,
    absl::FunctionRef<
        absl::StatusOr<frontend::ImportedModel>(const frontend::ImportOptions&)>
        import,
    std::set<std::string>* external_files = nullptr) {
  Model model;
  frontend::ImportOptions options;
  options.max_memory = max_memory;
  options.dims = dims;
  options.warn = [&model](const std::string& warning) {
    model.warnings.push_back(warning);
  };
  const int64_t start = MonotonicNanos();
  ASSAY_ASSIGN_OR_RETURN(frontend::ImportedModel imported, import(options));
  model.import_ms = static_cast<double>(MonotonicNanos() - start) / 1e6;
  model.graph = std::move(imported.graph);
  model.quantized = imported.facts.quantized;
  model.has_inexact_products = imported.facts.has_inexact_products;
  if (external_files != nullptr) {
    *external_files = std::move(imported.facts.external_files);
  }
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
  std::set<std::string> external_files;
  ASSAY_ASSIGN_OR_RETURN(Model model,
                         Import(
                             dims, max_memory,
                             [&](const frontend::ImportOptions& options) {
                               return frontend::ImportOnnxFile(path, options);
                             },
                             &external_files));
  Sha256 sha;
  const int64_t max_bytes = std::min(kMaxFileBytes, max_memory);
  ASSAY_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path, max_bytes));
  sha.Update(bytes);
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  model.onnx = std::make_shared<std::string>(bytes);
  if (!external_files.empty()) model.file_with_external_data = path;
  for (const std::string& file : external_files) {
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
  Sha256 sha;
  sha.Update(bytes);
  Hash(dims, &sha);
  model.digest = HexOf(sha.Finish());
  return model;
}

}  // namespace assay::suites
