#include "suites/tensors/npz.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/status_macros.h"
#include "suites/tensors/npy.h"
#include "suites/tensors/zip_archive.h"

namespace assay::suites {
namespace {

using frontend::Annotate;
using frontend::Malformed;
using frontend::Quote;

constexpr absl::string_view kSuffix = ".npy";

absl::StatusOr<NDArray> ReadArray(const ZipArchive& archive, size_t member,
                                  const std::string& label) {
  // The header was checked against the size of the member.
  const absl::StatusOr<std::string> bytes =
      archive.Read(member, archive.members()[member].size);
  if (!bytes.ok()) return Annotate(bytes.status(), label);
  absl::StatusOr<NDArray> array = ParseNpy(*bytes);
  if (!array.ok()) return Annotate(array.status(), label);
  return array;
}

absl::StatusOr<graph::TensorType> ReadType(const ZipArchive& archive,
                                           size_t member) {
  ASSAY_ASSIGN_OR_RETURN(const std::string start,
                         archive.Read(member, kMaxNpyHeaderBytes));
  ASSAY_ASSIGN_OR_RETURN(const NpyHeader header,
                         ParseNpyHeader(start, archive.members()[member].size));
  return header.type;
}

}  // namespace

absl::StatusOr<InputFile> OpenNpz(const std::string& path, std::string bytes,
                                  MemoryBudget* memory) {
  InputFile file;
  file.label = absl::StrCat("`", path, "`");
  file.noun = "array";
  memory->Use(static_cast<int64_t>(bytes.size()));
  absl::StatusOr<ZipArchive> opened = ZipArchive::Open(std::move(bytes));
  if (!opened.ok()) return Annotate(opened.status(), file.label);
  const auto archive = std::make_shared<const ZipArchive>(*std::move(opened));
  for (size_t i = 0; i < archive->members().size(); ++i) {
    absl::string_view name = archive->members()[i].name;
    if (!absl::ConsumeSuffix(&name, kSuffix)) {
      return Malformed(file.label, ": member ", Quote(name),
                       " is no array, because its name does not end in `.npy`");
    }
    UnreadTensor tensor;
    tensor.name = std::string(name);
    tensor.label = absl::StrCat(file.label, ": array ", Quote(name));
    const absl::StatusOr<graph::TensorType> type = ReadType(*archive, i);
    if (!type.ok()) return Annotate(type.status(), tensor.label);
    tensor.type = *type;
    ASSAY_RETURN_IF_ERROR(memory->Check(tensor.label, tensor.type.num_bytes()));
    memory->Use(tensor.type.num_bytes());
    tensor.read = [archive, i, label = tensor.label] {
      return ReadArray(*archive, i, label);
    };
    file.tensors.push_back(std::move(tensor));
  }
  return file;
}

absl::StatusOr<std::string> SerializeNpz(const runtime::NamedTensors& tensors) {
  std::vector<ZipContent> members;
  for (const runtime::NamedTensor& tensor : tensors) {
    absl::StatusOr<std::string> array = SerializeNpy(tensor.value);
    if (!array.ok()) {
      return Annotate(array.status(),
                      absl::StrCat("output ", Quote(tensor.name)));
    }
    members.push_back({absl::StrCat(tensor.name, kSuffix), *std::move(array)});
  }
  return WriteZip(members);
}

}  // namespace assay::suites
