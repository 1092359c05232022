// Fuzz test of the readers of inputs (suites/tensors) with arbitrary bytes:
// each returns an error of one line, or tensors that stay the same when they
// are written and read again.
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/check.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/ndarray.h"
#include "suites/tensors/input_file.h"
#include "suites/tensors/npy.h"
#include "suites/tensors/npz.h"
#include "suites/tensors/tensor_protos.h"

namespace assay::fuzz {
namespace {

constexpr int64_t kMaxMemory = 1 << 20;

void CheckError(const absl::Status& status) {
  const absl::string_view message = status.message();
  CHECK(!message.empty() && !absl::StrContains(message, "\n")) << message;
  CHECK(!absl::IsInternal(status)) << message;
}

// Returns the elements, which must have the type that was known before.
absl::StatusOr<NDArray> Read(const suites::UnreadTensor& tensor) {
  absl::StatusOr<NDArray> value = tensor.read();
  if (value.ok()) {
    CHECK(value->dtype() == tensor.type.dtype &&
          value->shape() == tensor.type.shape)
        << tensor.type;
  }
  return value;
}

void ReadAsNpy(absl::string_view bytes) {
  const absl::StatusOr<NDArray> array = suites::ParseNpy(bytes);
  if (!array.ok()) return CheckError(array.status());
  const auto written = suites::SerializeNpy(*array);
  CHECK(written.ok()) << written.status();
  const absl::StatusOr<NDArray> again = suites::ParseNpy(*written);
  CHECK(again.ok() && BitwiseEqual(*again, *array)) << again.status();
}

absl::StatusOr<runtime::NamedTensors> ReadNpz(const std::string& bytes,
                                              int64_t max_memory) {
  MemoryBudget memory(max_memory);
  const auto file = suites::OpenNpz("in.npz", bytes, &memory);
  if (!file.ok()) return file.status();
  runtime::NamedTensors tensors;
  for (const suites::UnreadTensor& tensor : file->tensors) {
    absl::StatusOr<NDArray> value = Read(tensor);
    if (!value.ok()) return value.status();
    tensors.push_back({tensor.name, *std::move(value)});
  }
  return tensors;
}

void ReadAsNpz(absl::string_view bytes) {
  const auto tensors = ReadNpz(std::string(bytes), kMaxMemory);
  if (!tensors.ok()) return CheckError(tensors.status());
  const auto written = suites::SerializeNpz(*tensors);
  // A name that was read may not be writable, for example with a zero byte.
  if (!written.ok()) return CheckError(written.status());
  const auto again = ReadNpz(*written, 8 * kMaxMemory);
  CHECK(again.ok()) << again.status();
  CHECK(runtime::SerializeTensors(*again) ==
        runtime::SerializeTensors(*tensors));
}

void ReadAsProto(absl::string_view bytes) {
  MemoryBudget memory(kMaxMemory);
  const auto tensor = suites::OpenTensorProto("in.pb", bytes, &memory);
  if (!tensor.ok()) return CheckError(tensor.status());
  const absl::StatusOr<NDArray> value = Read(*tensor);
  if (!value.ok()) return CheckError(value.status());
  const auto written = suites::SerializeTensorProto(tensor->name, *value);
  CHECK(written.ok()) << written.status();
  MemoryBudget more(2 * kMaxMemory);
  const auto again = suites::OpenTensorProto("in.pb", *written, &more);
  CHECK(again.ok()) << again.status();
  CHECK(again->name == tensor->name);
  const absl::StatusOr<NDArray> read = Read(*again);
  CHECK(read.ok() && BitwiseEqual(*read, *value)) << read.status();
}

}  // namespace
}  // namespace assay::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  assay::fuzz::ReadAsNpy(bytes);
  assay::fuzz::ReadAsNpz(bytes);
  assay::fuzz::ReadAsProto(bytes);
  return 0;
}
