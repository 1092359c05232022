#include "suites/tensors/tensor_files.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/status_macros.h"
#include "suites/tensors/npz.h"
#include "suites/tensors/tensor_protos.h"

namespace assay::suites {
namespace {

bool IsNpz(absl::string_view path) { return absl::EndsWith(path, ".npz"); }
bool IsProto(absl::string_view path) { return absl::EndsWith(path, ".pb"); }

absl::Status InvalidInputs(absl::Span<const std::string> paths) {
  return absl::InvalidArgumentError(absl::StrCat(
      "`--inputs` is `", absl::StrJoin(paths, ","),
      "`; it must be a .npz file, a list of .pb files, or a folder with "
      "`input_0.pb`, `input_1.pb` and so on"));
}

absl::StatusOr<std::string> ReadLimited(const std::string& path,
                                        const MemoryBudget& memory) {
  return ReadFile(path, std::min(kMaxFileBytes, memory.left()));
}

absl::StatusOr<InputFile> OpenProtos(const std::string& label,
                                     absl::Span<const std::string> paths,
                                     MemoryBudget* memory) {
  InputFile file;
  file.label = label;
  file.by_position = true;
  for (const std::string& path : paths) {
    ASSAY_ASSIGN_OR_RETURN(const std::string bytes, ReadLimited(path, *memory));
    ASSAY_ASSIGN_OR_RETURN(UnreadTensor tensor,
                           OpenTensorProto(path, bytes, memory));
    file.tensors.push_back(std::move(tensor));
  }
  return file;
}

}  // namespace

absl::StatusOr<InputFile> OpenInputs(absl::Span<const std::string> paths,
                                     int64_t max_memory) {
  CHECK(!paths.empty());
  MemoryBudget memory(max_memory);
  if (absl::c_all_of(paths, IsProto)) {
    return OpenProtos("`--inputs`", paths, &memory);
  }
  if (paths.size() > 1) return InvalidInputs(paths);
  const std::string& path = paths[0];
  if (IsNpz(path)) {
    ASSAY_ASSIGN_OR_RETURN(std::string bytes, ReadLimited(path, memory));
    return OpenNpz(path, std::move(bytes), &memory);
  }
  if (!FileExists(path)) {
    return absl::NotFoundError(
        absl::StrCat("`--inputs` is `", path, "`, which does not exist"));
  }
  const std::vector<std::string> protos = FindInputProtos(path);
  if (protos.empty()) return InvalidInputs(paths);
  return OpenProtos(absl::StrCat("`", path, "`"), protos, &memory);
}

absl::Status PrepareOutputs(const std::string& path) {
  if (IsNpz(path)) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? absl::OkStatus()
                                      : MakeDirs(path.substr(0, slash + 1));
  }
  for (const char* suffix : {".npy", ".onnx", ".pb"}) {
    if (!absl::EndsWith(path, suffix)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "`--outputs` is `", path,
        "`; it must be a .npz file, or a folder for `output_0.pb`, "
        "`output_1.pb` and so on"));
  }
  return MakeDirs(path);
}

absl::Status WriteOutputs(const std::string& path,
                          const runtime::NamedTensors& outputs) {
  runtime::NamedTensors named = outputs;
  for (size_t i = 0; i < named.size(); ++i) {
    if (named[i].name.empty()) named[i].name = absl::StrCat("output_", i);
  }
  if (IsNpz(path)) {
    ASSAY_ASSIGN_OR_RETURN(const std::string bytes, SerializeNpz(named));
    return WriteFileAtomic(path, bytes);
  }
  for (size_t i = 0; i < named.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(const std::string bytes,
                           SerializeTensorProto(named[i].name, named[i].value));
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(
        JoinPath(path, absl::StrCat("output_", i, ".pb")), bytes));
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
