// A bench_artifact that runs artifacts, but answers with the times of a script
// (runtime/measure/testing/scripted_runner.h), so that the verdict of a
// comparison of two processes does not depend on the machine. The time of a
// kernel call depends on its arithmetic operations, and is three times as long
// if its code has one of the digests in the variable ASSAY_SLOW_CODE, which
// commas separate. Serves requests (--steps) for one artifact only.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/status_macros.h"
#include "runtime/executor/seeded_inputs.h"
#include "runtime/measure/in_process.h"
#include "runtime/measure/testing/scripted_runner.h"
#include "runtime/tools/bench_flags.h"
#include "runtime/tools/bench_steps.h"

namespace assay::runtime {
namespace {

constexpr double kSlow = 3;

absl::StatusOr<ExitCode> Serve(const BenchFlags& flags) {
  if (flags.steps == 0 || flags.artifacts.size() != 1) {
    return absl::InvalidArgumentError("serves `--steps` for one artifact only");
  }
  ASSAY_ASSIGN_OR_RETURN(const Artifact artifact,
                         ReadArtifact(flags.artifacts[0]));
  const char* const variable = std::getenv("ASSAY_SLOW_CODE");
  // Twins of the canary have empty digests.
  const std::set<std::string> slow = absl::StrSplit(
      variable == nullptr ? "" : variable, ',', absl::SkipEmpty());
  MachineScript script;
  script.call_nanos = [&slow](const Artifact&, const KernelCall& call) {
    return NanosByFlops(call) * (slow.count(call.code_digest) > 0 ? kSlow : 1);
  };
  // Two processes are disturbed at different times.
  script.seed = std::hash<std::string>()(Digest(artifact));
  InProcessRunner real;
  ScriptedRunner runner(&real, script, /*clock=*/nullptr);
  ASSAY_ASSIGN_OR_RETURN(
      const std::unique_ptr<Session> session,
      runner.Load({&artifact}, {flags.threads, flags.placement_seed}));
  StepsOptions steps = {flags.steps};
  steps.set_default_inputs = [&] {
    return session->SetInputs(SeededInputs(artifact, flags.seed));
  };
  ServeSteps(*session, /*programs=*/1, std::cin, std::cout, steps);
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  const auto flags = ParseBenchFlags(argc, argv);
  const auto* bench = std::get_if<BenchFlags>(&flags);
  if (bench == nullptr) return static_cast<int>(ExitCode::kUsage);
  return ReportExitCode(Serve(*bench));
}

}  // namespace
}  // namespace assay::runtime

int main(int argc, char** argv) { return assay::runtime::Main(argc, argv); }
