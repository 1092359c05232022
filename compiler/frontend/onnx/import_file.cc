// ImportOnnxBytes and ImportOnnxFile.
#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

absl::string_view FolderOf(absl::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == absl::string_view::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

absl::StatusOr<ImportedModel> ImportOnnxBytes(absl::string_view bytes,
                                              const ImportOptions& options,
                                              const std::string& folder) {
  onnx::ModelProto model;
  if (bytes.size() > std::numeric_limits<int>::max() ||
      !model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Malformed("is no ONNX model: its ", bytes.size(),
                     " bytes cannot be parsed; it may have been cut short");
  }
  ImportedModel imported;
  ASSAY_ASSIGN_OR_RETURN(imported.graph,
                         ImportOnnxModel(model, options, folder));
  imported.facts = FindFacts(model);
  return imported;
}

absl::StatusOr<ImportedModel> ImportOnnxFile(const std::string& path,
                                             const ImportOptions& options) {
  // The error names the path already.
  ASSAY_ASSIGN_OR_RETURN(
      const std::string bytes,
      ReadFile(path, std::min(kMaxFileBytes, options.max_memory)));
  auto imported = ImportOnnxBytes(bytes, options, std::string(FolderOf(path)));
  if (!imported.ok()) {
    // Not shortened: the path comes from the caller, not from the file.
    return Annotate(imported.status(), absl::StrCat("`", path, "`"));
  }
  return imported;
}

}  // namespace assay::frontend
