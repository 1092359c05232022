#include "devices/emulator.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"

namespace assay::devices {

std::string EmulatedMachine(const Emulator& emulator) {
  const bool is_arm = emulator.program() == "qemu-arm";
  CHECK(is_arm || emulator.program() == "qemu-aarch64") << emulator.program();
  return is_arm ? "armhf" : "aarch64";
}

absl::StatusOr<std::vector<std::string>> EmulatorCommand(
    const Emulator& emulator, const std::string& program) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::string qemu,
      runtime::FindRunfile(
          program,
          absl::StrCat("debian_qemu/usr/bin/", emulator.program(), "-static")));
  return std::vector<std::string>{qemu, "-cpu", emulator.cpu()};
}

runtime::DeviceFacts EmulatedFacts(const Device& device) {
  runtime::DeviceFacts facts;
  facts.emulated = true;
  facts.identity["target"] = device.target();
  facts.identity["emulator"] = device.emulator().program();
  facts.identity["cpu"] = device.emulator().cpu();
  facts.fingerprint = absl::StrCat(
      "emulated-", device.name(), "-",
      Sha256Hex(absl::StrCat(device.target(), "\n", device.emulator().program(),
                             "\n", device.emulator().cpu()))
          .substr(0, 8));
  return facts;
}

}  // namespace assay::devices
