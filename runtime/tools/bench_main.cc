#include "runtime/tools/bench_main.h"

#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/artifact/validate.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_affinity.h"
#include "runtime/device/cpu/host_facts.h"
#include "runtime/device/shared_buffer.h"
#include "runtime/executor/seeded_inputs.h"
#include "runtime/measure/in_process.h"
#include "runtime/process/peak_memory.h"
#include "runtime/tools/bench_flags.h"
#include "runtime/tools/bench_report.h"
#include "runtime/tools/bench_steps.h"
#include "runtime/tools/bench_timing.h"

namespace assay::runtime {
namespace {

// On a device, insufficient memory or a stopped clock is an infrastructure
// failure.
ExitCode DeviceExitCode(const absl::Status& status) {
  return absl::IsResourceExhausted(status) || absl::IsFailedPrecondition(status)
             ? ExitCode::kInfrastructure
             : ExitCodeOf(status);
}

// Any error of a file that a flag names is a usage error.
absl::Status FileError(absl::string_view flag, const absl::Status& status) {
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, ": ", status.message()));
}

// The folder of an output file must exist before anything is measured.
absl::Status CheckFolder(absl::string_view flag, const std::string& path) {
  const size_t slash = path.rfind('/');
  if (path.empty() || slash == std::string::npos || slash == 0 ||
      FileExists(path.substr(0, slash))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--", flag, ": there is no folder `", path.substr(0, slash), "`"));
}

absl::Status CheckFlags(const BenchFlags& flags) {
  ASSAY_RETURN_IF_ERROR(CheckTiming(flags.timing));
  if (flags.steps < 0) {
    return absl::InvalidArgumentError(
        "--steps: the version of the protocol is not at least 1");
  }
  if (flags.artifacts.size() > 1 && flags.steps == 0) {
    return absl::InvalidArgumentError(
        "--artifact: two artifacts are for --steps only");
  }
  ASSAY_RETURN_IF_ERROR(CheckFolder("outputs", flags.outputs));
  return CheckFolder("json", flags.json);
}

struct Programs {
  std::vector<Artifact> artifacts;
  int64_t read_nanos = 0;  // time of reading and parsing the first file
};

absl::StatusOr<Artifact> Load(const std::string& path, int64_t* read_nanos) {
  const int64_t start = MonotonicNanos();
  absl::StatusOr<Artifact> artifact = ReadArtifact(path);
  if (!artifact.ok()) return FileError("artifact", artifact.status());
  *read_nanos = MonotonicNanos() - start;
  const absl::Status valid = Validate(*artifact);
  if (!valid.ok()) {
    return FileError("artifact", absl::InvalidArgumentError(absl::StrCat(
                                     "`", path, "`: ", valid.message())));
  }
  return artifact;
}

absl::StatusOr<Programs> LoadAll(const std::vector<std::string>& paths) {
  Programs programs;
  for (const std::string& path : paths) {
    int64_t read_nanos = 0;
    ASSAY_ASSIGN_OR_RETURN(Artifact artifact, Load(path, &read_nanos));
    if (programs.artifacts.empty()) programs.read_nanos = read_nanos;
    programs.artifacts.push_back(std::move(artifact));
  }
  return programs;
}

absl::StatusOr<NamedTensors> Inputs(const BenchFlags& flags,
                                    const Artifact& artifact) {
  if (flags.inputs.empty()) return SeededInputs(artifact, flags.seed);
  absl::StatusOr<NamedTensors> inputs = ReadTensors(flags.inputs);
  if (!inputs.ok()) return FileError("inputs", inputs.status());
  return inputs;
}

std::function<void(int64_t, double)> Progress(int64_t repeat,
                                              std::ostream& err) {
  return [repeat, &err](int64_t done, double last_ns) {
    err << absl::StrFormat("\r%d of %d samples, the last %.3f ms ", done,
                           repeat, last_ns / 1e6)
        << (done == repeat ? "\n" : "") << std::flush;
  };
}

// Writes the report, and the outputs if they are wanted.
absl::Status Write(const BenchFlags& flags, const BenchReport& report,
                   std::ostream& out) {
  if (!flags.outputs.empty()) {
    ASSAY_RETURN_IF_ERROR(WriteTensors(flags.outputs, report.result.outputs));
  }
  if (!flags.json.empty()) return WriteFileAtomic(flags.json, ToJson(report));
  out << ToJson(report) << std::flush;
  return out.good() ? absl::OkStatus()
                    : absl::DataLossError("cannot write the report");
}

absl::Status Bench(const BenchFlags& flags, bool show_progress,
                   std::ostream& out, std::ostream& err) {
  ASSAY_RETURN_IF_ERROR(CheckFlags(flags));
  ASSAY_ASSIGN_OR_RETURN(Programs loaded, LoadAll(flags.artifacts));
  std::vector<const Artifact*> programs;
  for (const Artifact& artifact : loaded.artifacts) {
    programs.push_back(&artifact);
  }
  InProcessRunner runner;
  // Loading precedes the inputs because it detects sizes that exceed the memory
  // of this machine. A report contains the digest of the artifact and thus
  // needs its parameters.
  const LoadOptions options = {flags.threads, flags.placement_seed};
  if (!flags.shared_memory.empty()) ShareFirstBuffer(flags.shared_memory);
  const bool takes = flags.steps > 0 && programs.size() == 1;
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
                         takes
                             ? runner.LoadAndTake(&loaded.artifacts[0], options)
                             : runner.Load(programs, options));
  std::optional<ScopedCpu> cpu;
  if (flags.placement_seed != 0) cpu.emplace(flags.placement_seed);

  const auto set_inputs = [&]() -> absl::Status {
    ASSAY_ASSIGN_OR_RETURN(const NamedTensors inputs,
                           Inputs(flags, *programs[0]));
    return session->SetInputs(inputs);
  };
  if (flags.steps > 0) {
    StepsOptions steps = {flags.steps, set_inputs, loaded.read_nanos};
    if (!flags.inputs.empty()) {
      ASSAY_RETURN_IF_ERROR(set_inputs());
      steps.set_default_inputs = nullptr;
    }
    ServeSteps(*session, static_cast<int>(programs.size()), std::cin, out,
               steps);
    return absl::OkStatus();
  }
  ASSAY_ASSIGN_OR_RETURN(const NamedTensors inputs,
                         Inputs(flags, *programs[0]));
  ASSAY_RETURN_IF_ERROR(session->SetInputs(inputs));
  ASSAY_ASSIGN_OR_RETURN(const int64_t load_nanos, session->LoadNanos());
  BenchReport report;
  report.artifact = programs[0];
  report.host = ReadHostFacts();
  report.threads = session->threads();
  report.load_nanos = loaded.read_nanos + load_nanos;
  report.timing = flags.timing;
  if (flags.flush_cache) {
    report.timing.flush_cache_bytes = CacheFlushBytes(report.host);
  }
  // A sample without the times of calls does not say why it has none, so
  // TimeCalls() needs a program with calls.
  BenchTiming timing = report.timing;
  timing.per_op = timing.per_op && !programs[0]->calls.empty();
  report.inputs = flags.inputs.empty() ? absl::StrCat("seed ", flags.seed)
                                       : absl::StrCat("file ", flags.inputs);
  report.inputs_digest = TensorsDigest(inputs);
  ASSAY_ASSIGN_OR_RETURN(
      report.result,
      TimeSession(
          *session, timing,
          show_progress ? Progress(report.timing.repeat, err) : nullptr));
  const absl::StatusOr<int64_t> peak = PeakResidentBytes();
  if (peak.ok()) report.peak_resident_bytes = *peak;
  return Write(flags, report, out);
}

}  // namespace

int BenchMain(int argc, const char* const* argv, bool show_progress,
              std::ostream& out, std::ostream& err) {
  const std::variant<BenchFlags, FlagsExit> flags = ParseBenchFlags(argc, argv);
  if (const FlagsExit* exit = std::get_if<FlagsExit>(&flags)) {
    (exit->code == 0 ? out : err) << exit->text;
    return exit->code;
  }
  const absl::Status status =
      Bench(std::get<BenchFlags>(flags), show_progress, out, err);
  if (!status.ok()) err << "bench_artifact: " << status.message() << "\n";
  return static_cast<int>(DeviceExitCode(status));
}

}  // namespace assay::runtime
