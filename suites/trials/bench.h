// CalibrationBench: prepares and runs the trials of a calibration. It compiles
// each subject once, and its code once for each layout seed of a twin.
#ifndef ASSAY_SUITES_TRIALS_BENCH_H_
#define ASSAY_SUITES_TRIALS_BENCH_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/measure/session.h"
#include "suites/comparison/subject.h"
#include "suites/correctness/checked_session.h"
#include "suites/trials/trial.h"

namespace assay::suites {

// Names of all subjects: KernelSubjects(), then the networks `mobilenet_v2` and
// `resnet18`.
std::vector<std::string> CalibrationSubjects();

class CalibrationBench {
 public:
  // `one_process` loads both programs of a trial in one process;
  // `two_processes` starts a process for each program, and may be null if no
  // trial needs it. Both must outlive the bench, and run programs that are
  // compiled for `target` (suites/comparison/subject.h).
  CalibrationBench(runtime::Runner* one_process, runtime::Runner* two_processes,
                   std::string target = kHostTarget)
      : one_process_(one_process),
        two_processes_(two_processes),
        target_(std::move(target)) {}

  // Runs the trial and sets its results. Returns Internal if an output of a
  // twin is wrong.
  absl::Status Run(const CalibrationOptions& options, Trial* trial);

 private:
  struct Prepared {
    Subject subject;
    std::unique_ptr<CheckedSession> session;
    std::vector<double> call_ns;  // Profile::call_ns
    // By layout seed. Only the code differs from `subject.artifact`.
    std::map<uint64_t, std::string> codes;
  };

  absl::StatusOr<Prepared*> Prepare(const std::string& name, int threads);
  absl::StatusOr<runtime::Artifact> TwinOf(Prepared* prepared,
                                           const Trial& trial);

  runtime::Runner* const one_process_;
  runtime::Runner* const two_processes_;
  const std::string target_;
  std::map<std::pair<std::string, int>, Prepared> prepared_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_BENCH_H_
