#include "runtime/devices/devices.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/abi/abi.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/device/interpreter/interpreter_device.h"

namespace assay::runtime {
namespace {

struct DeviceKind {
  const char* code_kind;
  absl::StatusOr<std::unique_ptr<Device>> (*create)(int num_threads);
};

template <typename T>
absl::StatusOr<std::unique_ptr<Device>> Create(int num_threads) {
  return T::Create(num_threads);
}

constexpr DeviceKind kDevices[] = {
    {ASSAY_CODE_KIND_ELF, Create<CpuDevice>},
    {kBytecodeKind, Create<InterpreterDevice>},
};

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> CreateDevice(
    absl::string_view code_kind, int num_threads) {
  for (const DeviceKind& device : kDevices) {
    if (device.code_kind == code_kind) return device.create(num_threads);
  }
  const auto quoted = [](std::string* out, const DeviceKind& device) {
    absl::StrAppend(out, "`", device.code_kind, "`");
  };
  return absl::InvalidArgumentError(absl::StrCat(
      "no device runs code of kind `", code_kind, "`; there are devices for ",
      absl::StrJoin(kDevices, ", ", quoted)));
}

}  // namespace assay::runtime
