// TrialRunner: checks and measures points of a task on a device, each next to
// the default point (compiler/docs/tuning.md).
//
//   TrialRunner trials(program, threads, &runner, {});
//   const TuningRecord usual = trials.RunDefault(default_artifact, header);
//   const TuningRecord record = trials.Run(artifact, header);
//   if (record.status == TrialStatus::kOk) Use(record.samples_ns);
//
// Samples of the point and of the default point alternate in one process, so
// their ratio is meaningful on a machine whose speed changes from one second to
// the next. A sample is one run of the program, timed kernel call by kernel
// call, and its time is the lower quartile of its calls: on a busy machine, a
// run of a few milliseconds is hardly ever undisturbed, but most calls are, and
// a quartile depends less on luck than the fastest call. The session is kept
// from trial to trial: only the program of the point is replaced
// (Session::Replace), because starting a process and sending the weights would
// take longer than the trial. A point that fails ends the session. A point that
// seems wrong is tried again in a new session, because an earlier point may
// have overwritten memory.
//
// The outputs of the first run are checked. Those of the samples are not, which
// would take longer than the samples: a point that is accepted has been
// compared with the default point, with all outputs checked (acceptance.h).
//
// Not thread-safe.
#ifndef ASSAY_SUITES_TUNE_SEARCH_TRIAL_H_
#define ASSAY_SUITES_TUNE_SEARCH_TRIAL_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "runtime/artifact/artifact.h"
#include "runtime/measure/session.h"
#include "suites/tune/log/tuning_record.h"
#include "suites/tune/search/kernel_program.h"

namespace assay::suites {

struct TrialOptions {
  // After the first run, which is checked, each point gets as many samples as
  // take half of this time, at least two and at most kMaxTrialSamples, and as
  // many of the default point.
  int64_t trial_nanos = 24'000'000;
  // A sample has as many runs of the program as this takes. If it has several,
  // their calls are not timed one by one.
  int64_t min_sample_nanos = 500'000;
  // Pause before each sample, for devices that throttle.
  int64_t cooldown_nanos = 0;
};

constexpr int kMaxTrialSamples = 8;
// A point whose first run takes this many times as long as the default point
// gets no further samples, unless the run is shorter than a sample. This run is
// then its only sample.
constexpr double kEarlyStopRatio = 2.5;

class TrialRunner {
 public:
  // `program` and `runner` must outlive this object.
  TrialRunner(const KernelProgram& program, int threads,
              runtime::Runner* runner, TrialOptions options)
      : program_(program),
        threads_(threads),
        runner_(*runner),
        options_(options) {}

  // Checks and measures the default point. Returns `header` with the result:
  // its status, the samples, the largest error of the outputs, unless the
  // kernel did not run, and the error message. Must be called first, and must
  // succeed before Run() is called.
  TuningRecord RunDefault(runtime::Artifact artifact,
                          const TuningRecord& header);
  // Checks and measures a point. Returns `header` with the result.
  TuningRecord Run(const runtime::Artifact& artifact,
                   const TuningRecord& header);

 private:
  absl::Status Load(const runtime::Artifact& artifact);
  absl::Status Exchange(const runtime::Artifact& artifact);
  TuningRecord Attempt(const runtime::Artifact& artifact,
                       const TuningRecord& header);
  absl::Status Check(const runtime::Artifact& artifact, TuningRecord* record);
  absl::Status Measure(TuningRecord* record);

  const KernelProgram& program_;
  const int threads_;
  runtime::Runner& runner_;
  const TrialOptions options_;
  runtime::Artifact default_;
  double default_run_ns_ = 0;  // fastest run of the program of default_
  std::unique_ptr<runtime::Session> session_;  // null after a failure
  int64_t points_ = 0;                         // that the session has run
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_TRIAL_H_
