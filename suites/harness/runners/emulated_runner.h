// EmulatedRunner: runs artifacts for another architecture in an emulator on
// this machine, with the very program that is copied to a real board
// (runtime/tools:bench_artifact, cross-built).
//
// Artifact and inputs are handed over as files in a temporary folder, outputs
// and report come back the same way. The outputs are those of the device; the
// times are not, and whoever shows them says so.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_EMULATED_RUNNER_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_EMULATED_RUNNER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "devices/device.pb.h"
#include "suites/harness/services.h"

namespace assay::suites {

// `command` is what comes before the arguments of bench_artifact: emulator,
// its flags, the program. A run is given up after `timeout_s`.
class EmulatedRunner : public Runner {
 public:
  EmulatedRunner(std::vector<std::string> command, double timeout_s)
      : command_(std::move(command)), timeout_s_(timeout_s) {}

  // Runs nothing yet. Errors of the session name the program and quote what it
  // wrote to standard error.
  absl::StatusOr<std::unique_ptr<Session>> Load(
      const runtime::Artifact& artifact, const runtime::NamedTensors& inputs,
      int threads) override;

 private:
  const std::vector<std::string> command_;
  const double timeout_s_;
};

// The command for `emulator`, from the runfiles of `program` (argv[0]).
absl::StatusOr<std::vector<std::string>> EmulatorCommand(
    const devices::Emulator& emulator, absl::string_view program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_EMULATED_RUNNER_H_
