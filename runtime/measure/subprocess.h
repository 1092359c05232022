// SubprocessRunner: runs artifacts with another process, bench_artifact
// (runtime/tools), which measures step by step (runtime/tools/bench_steps.h).
//
// Used for two purposes. A program for another architecture runs under an
// emulator, whose command line precedes the program; the outputs are those of
// the device, the times are not. And the bench_artifact of another commit runs
// with its own runtime, which cannot be in the same process as this one. Its
// addresses differ from ours, so a difference of a percent or two between two
// processes need not come from the programs.
#ifndef ASSAY_RUNTIME_MEASURE_SUBPROCESS_H_
#define ASSAY_RUNTIME_MEASURE_SUBPROCESS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/measure/session.h"

namespace assay::runtime {

struct SubprocessOptions {
  // Everything before the flags of bench_artifact: an emulator with its flags,
  // if there is one, and the path of the program.
  std::vector<std::string> command;
  // Time limit of each answer of the program and of each block.
  double time_limit_s = 120;
  // Facts of the device that the command runs on or emulates.
  DeviceFacts facts;
};

class SubprocessRunner : public Runner {
 public:
  explicit SubprocessRunner(SubprocessOptions options)
      : options_(std::move(options)) {}

  DeviceFacts facts() const override { return options_.facts; }

  // Starts the program, which ends with the session. Errors of the session name
  // the program and quote what it wrote to standard error. Unimplemented for
  // two artifacts.
  absl::StatusOr<std::unique_ptr<Session>> Load(
      absl::Span<const Artifact* const> artifacts, int threads) override;

 private:
  const SubprocessOptions options_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_SUBPROCESS_H_
