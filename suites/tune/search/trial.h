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
// the next. A sample is one run of the program, or several runs if one run
// takes less than TrialOptions::min_sample_nanos. If a sample is one run, each
// kernel call is timed, and the time of the sample is the lower quartile of the
// times of the calls. On a busy machine, almost every run of a few milliseconds
// is disturbed, but most kernel calls are not. The quartile varies less than
// the time of the fastest call. The session is kept from trial to trial: only
// the program of the point is replaced (Session::Replace), because starting a
// process and sending the weights would take longer than the trial. A point
// that fails ends the session. A point that seems wrong is tried again in a new
// session, because an earlier point may have overwritten memory.
//
// The outputs of the first run are checked. The outputs of the samples are not
// checked, because checking them would take longer than the samples. Before a
// point is accepted, it is compared with the default point once more, and all
// outputs are checked then (acceptance.h).
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
  // Time for the samples of a trial, which follow the first run. Half of it is
  // for the point and half for the default point. Each of them gets the same
  // number of samples: at least two and at most kMaxTrialSamples.
  int64_t trial_nanos = 24'000'000;
  // Minimum time of a sample. If one run of the program takes less, a sample
  // has several runs. The kernel calls of such a sample are not timed.
  int64_t min_sample_nanos = 500'000;
  // Pause before each sample, for devices that throttle.
  int64_t cooldown_nanos = 0;
};

constexpr int kMaxTrialSamples = 8;
// If the first run of a point takes more than this many times as long as a run
// of the default point, the first run is the only sample of the point. This
// does not apply to runs that are shorter than TrialOptions::min_sample_nanos.
constexpr double kEarlyStopRatio = 2.5;

// Returns how a measurement ended that failed with this error of a session.
TrialStatus TrialStatusOf(const absl::Status& error);

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
  // the status, the samples, the error message and, if the kernel ran, the
  // largest error of its outputs. Must be called first, and must succeed before
  // Run() is called.
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
  int64_t points_ = 0;  // number of points that the session has run
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_TRIAL_H_
