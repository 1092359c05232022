// The emulators that stand in for boards: their command lines, and the facts of
// the devices that they emulate.
#ifndef ASSAY_DEVICES_EMULATOR_H_
#define ASSAY_DEVICES_EMULATOR_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "runtime/measure/device_facts.h"

namespace assay::devices {

// Returns the architecture of the emulated programs, `aarch64` or `armhf`.
std::string EmulatedMachine(const Emulator& emulator);

// Returns the command line that runs a program, up to the path of the program.
// The emulator is found in the runfiles of `program`, which is argv[0]. A
// program that is not fully static also needs `-L` and a sysroot.
absl::StatusOr<std::vector<std::string>> EmulatorCommand(
    const Emulator& emulator, const std::string& program);

// Returns the facts of an emulated device. Their fingerprint starts with
// `emulated-`, so it differs from the fingerprints of all real machines.
runtime::DeviceFacts EmulatedFacts(const Device& device);

}  // namespace assay::devices

#endif  // ASSAY_DEVICES_EMULATOR_H_
