#include "compiler/frontend/onnx/proto/external_data.h"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

struct Location {
  std::string file;
  int64_t offset = 0;
  std::optional<int64_t> length;
};

absl::StatusOr<int64_t> ReadCount(absl::string_view key,
                                  const std::string& text) {
  int64_t value = 0;
  if (!absl::SimpleAtoi(text, &value) || value < 0) {
    return Malformed("external data has ", key, " ", Quote(text),
                     ", which is no count of bytes");
  }
  return value;
}

absl::StatusOr<Location> ReadLocation(const onnx::TensorProto& tensor) {
  Location location;
  bool has_offset = false;
  for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
    const std::string& key = entry.key();
    if (key == "location" && location.file.empty()) {
      location.file = entry.value();
    } else if (key == "offset" && !has_offset) {
      has_offset = true;
      ASSAY_ASSIGN_OR_RETURN(location.offset, ReadCount(key, entry.value()));
    } else if (key == "length" && !location.length.has_value()) {
      ASSAY_ASSIGN_OR_RETURN(location.length, ReadCount(key, entry.value()));
    } else if (key != "checksum") {
      return Malformed("external data has an unknown or repeated key ",
                       Quote(key));
    }
  }
  if (location.file.empty()) {
    return Malformed("external data has no location");
  }
  return location;
}

std::optional<std::string> RealPath(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(
      realpath(path.c_str(), nullptr), std::free);
  if (real == nullptr) return std::nullopt;
  return std::string(real.get());
}

}  // namespace

absl::StatusOr<std::string> FindExternalFile(const std::string& folder,
                                             const std::string& file) {
  if (folder.empty()) {
    return Malformed("data is in file ", Quote(file),
                     " but the model was not read from a folder");
  }
  const std::vector<std::string> parts = absl::StrSplit(file, '/');
  bool inside = !absl::StartsWith(file, "/") &&
                !absl::StrContains(file, absl::string_view("\0", 1));
  for (const std::string& part : parts) inside = inside && part != "..";
  if (!inside) {
    return Malformed("data is in file ", Quote(file),
                     ", which is outside the model's folder");
  }
  const std::optional<std::string> root = RealPath(folder);
  const std::optional<std::string> path = RealPath(JoinPath(folder, file));
  if (!root.has_value() || !path.has_value()) {
    return absl::NotFoundError(absl::StrCat("data is in file ", Quote(file),
                                            ", which cannot be found in ", "`",
                                            folder, "`"));
  }
  if (!absl::StartsWith(*path, JoinPath(*root, ""))) {
    return Malformed("data is in file ", Quote(file),
                     ", a link to outside the model's folder");
  }
  struct stat info;
  if (stat(path->c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return Malformed("data is in file ", Quote(file),
                     ", which is no regular file");
  }
  return *path;
}

absl::StatusOr<NDArray> ReadExternalData(const onnx::TensorProto& tensor,
                                         const std::string& folder, DType dtype,
                                         const Shape& shape) {
  ASSAY_ASSIGN_OR_RETURN(const Location location, ReadLocation(tensor));
  ASSAY_ASSIGN_OR_RETURN(const std::string path,
                         FindExternalFile(folder, location.file));
  const int64_t bytes = NumElements(shape) * dtype.bytes();
  const std::string file = Quote(location.file);
  if (location.length.has_value() && *location.length != bytes) {
    return Malformed("has ", *location.length, " bytes in file ", file,
                     " but its extents need ", bytes);
  }
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    return Malformed("data is in file ", file, ", which cannot be read");
  }
  if (location.offset > info.st_size ||
      bytes > info.st_size - location.offset) {
    return Malformed("needs ", bytes, " bytes from byte ", location.offset,
                     " of file ", file, ", which has only ", info.st_size);
  }
  NDArray array(dtype, shape);
  std::ifstream stream(path, std::ios::binary);
  stream.seekg(location.offset);
  stream.read(static_cast<char*>(array.raw()), bytes);
  if (!stream || stream.gcount() != bytes) {
    return absl::DataLossError(
        absl::StrCat("cannot read ", bytes, " bytes of file ", file));
  }
  return array;
}

}  // namespace assay::frontend
