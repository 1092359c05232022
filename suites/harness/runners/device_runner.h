// Runners for the devices of the device files.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_DEVICE_RUNNER_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_DEVICE_RUNNER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "runtime/measure/session.h"

namespace assay::suites {

// Creates a runner in this process or, for an emulated device, one that runs
// bench_artifact for its architecture under the emulator. `program` is argv[0],
// whose runfiles have the emulator.
absl::StatusOr<std::unique_ptr<runtime::Runner>> MakeDeviceRunner(
    const devices::Device& device, const std::string& program);

// Creates a runner on this machine that is a process of its own: the
// bench_artifact at `path`, or if that is empty, the one in the runfiles of
// `program`.
absl::StatusOr<std::unique_ptr<runtime::Runner>> MakeProcessRunner(
    const std::string& path, const std::string& program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_DEVICE_RUNNER_H_
