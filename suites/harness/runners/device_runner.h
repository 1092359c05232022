// Creates runners for the devices that device files describe.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_DEVICE_RUNNER_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_DEVICE_RUNNER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "runtime/measure/session.h"

namespace assay::suites {

// Creates a runner for `device`, as Device::runner says: it runs artifacts in
// this process, or with the bench_artifact of the device's architecture, which
// is executed in the emulator. Returns InvalidArgument if the device can only
// be leased. `program` is argv[0], the program whose runfiles contain the
// emulator and bench_artifact.
absl::StatusOr<std::unique_ptr<runtime::Runner>> MakeDeviceRunner(
    const devices::Device& device, const std::string& program);

// Creates a runner that runs each artifact on this machine in a process of its
// own; Load() returns Unimplemented for two artifacts. The process executes the
// bench_artifact at `path` or, if `path` is empty, the bench_artifact in the
// runfiles of `program`, which is argv[0].
absl::StatusOr<std::unique_ptr<runtime::Runner>> MakeProcessRunner(
    const std::string& path, const std::string& program);

// Creates a runner for the trials of the tuner on this machine: programs run in
// another process, because a point can crash or hang, two of them together, and
// no answer may take longer than `time_limit_s`.
absl::StatusOr<std::unique_ptr<runtime::Runner>> MakeTrialRunner(
    double time_limit_s, const std::string& program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_DEVICE_RUNNER_H_
