// LocalDevices: opens devices of this machine, which need no tracker.
#ifndef ASSAY_SUITES_DEVICES_LOCAL_DEVICES_H_
#define ASSAY_SUITES_DEVICES_LOCAL_DEVICES_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "runtime/measure/session.h"
#include "suites/devices/device_source.h"

namespace assay::suites {

class LocalDevices : public DeviceSource {
 public:
  // `program` is argv[0], the program whose runfiles contain the emulators and
  // bench_artifact.
  explicit LocalDevices(std::string program) : program_(std::move(program)) {}

  // Device::runner selects the runner. It runs artifacts either in this process
  // or, if the device has an emulator, in the emulator, which executes the
  // bench_artifact of the device's architecture. Returns InvalidArgument if the
  // device can only be leased.
  absl::StatusOr<std::unique_ptr<runtime::Runner>> Open(
      const devices::Device& device, BlockLog* blocks) override;

  // Returns the SHA-256 of the bench_artifact in the runfiles for the machine
  // of the device; an empty string if the runfiles lack it. Under an emulator,
  // this is the program that runs the artifact. Without one, the runtime is
  // linked into the harness, whose own digest changes with every change of the
  // compiler. Therefore the bench_artifact of the same build stands for it,
  // which contains the same runtime.
  std::string RuntimeDigest(const devices::Device& device) override;

  // Opens this machine with a runner that runs each artifact in a process of
  // its own. Its Load() accepts only one artifact, and otherwise returns
  // Unimplemented. The process executes the bench_artifact at `path` or, if
  // `path` is empty, that of this build.
  absl::StatusOr<std::unique_ptr<runtime::Runner>> OpenProcess(
      const std::string& path) const;

  // Opens this machine for the trials of the tuner: programs run in another
  // process, because a point can crash or hang. The process can load two
  // programs. A call that takes longer than `time_limit_s` fails.
  absl::StatusOr<std::unique_ptr<runtime::Runner>> OpenForTrials(
      double time_limit_s) const;

 private:
  const std::string program_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_DEVICES_LOCAL_DEVICES_H_
