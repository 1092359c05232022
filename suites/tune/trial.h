// TrialRunner: builds a point of a task's search space, checks its outputs and
// measures it (compiler/docs/tuning.md).
//
//   ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact artifact,
//                          trials.Build(choice));
//   const TrialResult result = trials.Run(artifact, {/*samples=*/3});
//
// Building does not use the device, and running does not use the compiler, so
// both can be done by different threads. Run() is not thread-safe.
#ifndef ASSAY_SUITES_TUNE_TRIAL_H_
#define ASSAY_SUITES_TUNE_TRIAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/driver/tuning_table.h"
#include "compiler/target/target.h"
#include "runtime/artifact/artifact.h"
#include "runtime/measure/session.h"
#include "suites/tune/kernel_program.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

struct TrialResult {
  TrialStatus status = TrialStatus::kOk;
  // Nanoseconds per call of the kernel, in the order of measurement.
  std::vector<double> samples_ns = {};
  // The largest error of the outputs; absent if the kernel did not run.
  std::optional<double> max_error = std::nullopt;
  std::string error = {};  // one sentence; empty if the status is kOk
};

struct TrialOptions {
  int samples = 3;
  // A sample has as many runs of the program as this takes.
  int64_t min_sample_nanos = 2'000'000;
};

class TrialRunner {
 public:
  // `program` and `runner` must outlive this object. `key` is that of the task.
  TrialRunner(std::string key, const KernelProgram& program,
              target::Target target, int threads, runtime::Runner* runner)
      : key_(std::move(key)),
        program_(program),
        target_(std::move(target)),
        threads_(threads),
        runner_(*runner) {}

  // Compiles the program with `choice` for its kernel. Returns InvalidArgument
  // if the choice does not fit the kernel. Thread-safe.
  absl::StatusOr<runtime::Artifact> Build(
      const driver::TunedKernel& choice) const;

  // Runs an artifact of Build(). Outputs are checked before and while it is
  // measured.
  TrialResult Run(const runtime::Artifact& artifact,
                  const TrialOptions& options);

 private:
  const std::string key_;
  const KernelProgram& program_;
  const target::Target target_;
  const int threads_;
  runtime::Runner& runner_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_TRIAL_H_
