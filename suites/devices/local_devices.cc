#include "suites/devices/local_devices.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "devices/device.h"
#include "devices/emulator.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/in_process.h"
#include "runtime/measure/subprocess.h"
#include "runtime/process/runfiles.h"

namespace assay::suites {
namespace {

constexpr char kBenchArtifact[] = "assay/suites/devices/bench_artifact_";
constexpr char kThisMachine[] = "this_machine";

// Returns the command that starts bench_artifact under `emulator`.
absl::StatusOr<std::vector<std::string>> BenchCommand(
    const devices::Emulator& emulator, const std::string& program) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<std::string> command,
                         devices::EmulatorCommand(emulator, program));
  const std::string machine = devices::EmulatedMachine(emulator);
  ASSAY_ASSIGN_OR_RETURN(
      const std::string sysroot,
      runtime::FindRunfile(program, absl::StrCat("sysroot_", machine)));
  ASSAY_ASSIGN_OR_RETURN(
      const std::string bench,
      runtime::FindRunfile(program, absl::StrCat(kBenchArtifact, machine)));
  command.insert(command.end(), {"-L", sysroot, bench});
  return command;
}

// Returns the command that starts the bench_artifact at `path` or, if `path` is
// empty, that in the runfiles.
absl::StatusOr<std::vector<std::string>> LocalCommand(
    std::string path, const std::string& program) {
  if (path.empty()) {
    ASSAY_ASSIGN_OR_RETURN(
        path, runtime::FindRunfile(program,
                                   absl::StrCat(kBenchArtifact, kThisMachine)));
  }
  return std::vector<std::string>{std::move(path)};
}

}  // namespace

absl::StatusOr<std::unique_ptr<runtime::Runner>> LocalDevices::Open(
    const devices::Device& device, BlockLog* /*blocks*/) {
  if (device.has_in_process()) {
    return std::make_unique<runtime::InProcessRunner>();
  }
  if (!devices::IsEmulated(device)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the device `", device.name(),
        "` has no emulator, so it can only be leased; give `--tracker`"));
  }
  runtime::SubprocessOptions options;
  ASSAY_ASSIGN_OR_RETURN(options.command,
                         BenchCommand(device.emulator(), program_));
  options.time_limit_s = device.emulator().timeout_s();
  options.facts = devices::EmulatedFacts(device);
  return std::make_unique<runtime::SubprocessRunner>(std::move(options));
}

std::string LocalDevices::RuntimeDigest(const devices::Device& device) {
  const std::string machine = devices::IsEmulated(device)
                                  ? devices::EmulatedMachine(device.emulator())
                                  : kThisMachine;
  const absl::StatusOr<std::string> path =
      runtime::FindRunfile(program_, absl::StrCat(kBenchArtifact, machine));
  if (!path.ok()) return "";
  const absl::StatusOr<std::string> bytes = ReadFile(*path);
  return bytes.ok() ? Sha256Hex(*bytes) : "";
}

absl::StatusOr<std::unique_ptr<runtime::Runner>> LocalDevices::OpenProcess(
    const std::string& path) const {
  runtime::SubprocessOptions options;
  ASSAY_ASSIGN_OR_RETURN(options.command, LocalCommand(path, program_));
  options.one_artifact = true;
  options.facts = runtime::DescribeHost();
  return std::make_unique<runtime::SubprocessRunner>(std::move(options));
}

absl::StatusOr<std::unique_ptr<runtime::Runner>> LocalDevices::OpenForTrials(
    double time_limit_s) const {
  runtime::SubprocessOptions options;
  ASSAY_ASSIGN_OR_RETURN(options.command, LocalCommand(/*path=*/"", program_));
  options.time_limit_s = time_limit_s;
  options.facts = runtime::DescribeHost();
  return std::make_unique<runtime::SubprocessRunner>(std::move(options));
}

}  // namespace assay::suites
