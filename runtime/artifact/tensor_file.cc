#include "runtime/artifact/tensor_file.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/artifact/tensor_type_io.h"
#include "runtime/base/byte_io.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

constexpr absl::string_view kMagic("ASSAYTEN", 8);
constexpr uint32_t kVersion = 1;

absl::string_view Bytes(const NDArray& array) {
  return absl::string_view(static_cast<const char*>(array.raw()),
                           array.num_bytes());
}

NamedTensor ReadTensor(ByteReader& r) {
  NamedTensor tensor;
  tensor.name = r.String();
  DType dtype;
  Shape shape;
  ReadTensorType(r, &dtype, &shape);
  const absl::string_view bytes = r.StringView();
  if (!r.ok()) return tensor;
  // Check the number of bytes before allocating the array.
  const uint64_t expected =
      static_cast<uint64_t>(NumElements(shape)) * dtype.bytes();
  if (bytes.size() != expected) {
    r.Fail();
    return tensor;
  }
  tensor.value = NDArray(dtype, std::move(shape));
  if (!bytes.empty()) {
    std::memcpy(tensor.value.raw(), bytes.data(), bytes.size());
  }
  return tensor;
}

}  // namespace

std::string SerializeTensors(const NamedTensors& tensors) {
  ByteWriter w;
  w.Raw(kMagic);
  w.U32(kVersion);
  w.Count(tensors.size());
  for (const NamedTensor& t : tensors) {
    w.String(t.name);
    WriteTensorType(t.value.dtype(), t.value.shape(), w);
    w.String(Bytes(t.value));
  }
  return w.Take();
}

absl::StatusOr<NamedTensors> ParseTensors(absl::string_view bytes) {
  ByteReader r(bytes);
  if (r.Raw(kMagic.size()) != kMagic) {
    return absl::InvalidArgumentError("not a tensor file: wrong magic number");
  }
  const uint32_t version = r.U32();
  if (r.ok() && version != kVersion) {
    return absl::InvalidArgumentError(
        absl::StrCat("tensor file has version ", version,
                     ", this program reads version ", kVersion));
  }
  NamedTensors tensors(r.Count(8 + kMinTensorTypeBytes + 8));
  for (NamedTensor& t : tensors) {
    t = ReadTensor(r);
    if (!r.ok()) break;
  }
  if (!r.ok() || !r.AtEnd()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "tensor file is truncated or malformed at byte ", r.position()));
  }
  return tensors;
}

std::string TensorsDigest(const NamedTensors& tensors) {
  return Sha256Hex(SerializeTensors(tensors));
}

absl::Status WriteTensors(const std::string& path,
                          const NamedTensors& tensors) {
  return WriteFileAtomic(path, SerializeTensors(tensors));
}

absl::StatusOr<NamedTensors> ReadTensors(const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  absl::StatusOr<NamedTensors> tensors = ParseTensors(bytes);
  if (!tensors.ok()) {
    return absl::Status(
        tensors.status().code(),
        absl::StrCat("`", path, "`: ", tensors.status().message()));
  }
  return tensors;
}

const NDArray* FindTensor(const NamedTensors& tensors, absl::string_view name) {
  for (const NamedTensor& t : tensors) {
    if (t.name == name) return &t.value;
  }
  return nullptr;
}

}  // namespace assay::runtime
