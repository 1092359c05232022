#include "suites/tune/search/trial.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reports/stats/summary.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/accuracy.h"

namespace assay::suites {
namespace {

// The programs of a session.
constexpr int kDefault = 0;
constexpr int kPoint = 1;

// Returns the nanoseconds of a call of the kernel, of which a run has `calls`.
double NanosPerCall(const runtime::Sample& sample, int calls) {
  // Other kernels of the program only move data, such as a copy to an output.
  if (sample.call_nanos.size() != static_cast<size_t>(calls)) {
    return sample.NanosPerRun() / calls;
  }
  const std::vector<double> nanos(sample.call_nanos.begin(),
                                  sample.call_nanos.end());
  // A clock that is too coarse for a call is not too coarse for a run.
  const double quartile = stats::Percentile(nanos, 25);
  return quartile > 0 ? quartile : sample.NanosPerRun() / calls;
}

}  // namespace

TrialStatus TrialStatusOf(const absl::Status& error) {
  if (absl::IsDeadlineExceeded(error)) return TrialStatus::kTimeout;
  if (absl::IsAborted(error)) return TrialStatus::kDeviceLost;
  return TrialStatus::kRunError;
}

// Starts a session with the default point and a point.
absl::Status TrialRunner::Load(const runtime::Artifact& artifact) {
  session_.reset();
  points_ = 0;
  runtime::LoadOptions options;
  options.threads = threads_;
  auto session = runner_.Load({&default_, &artifact}, options);
  // The device of the session before was lost, and only now is it known. The
  // next one is another, or the same after it was started again. No samples
  // were taken, so this is no trial that was lost.
  if (absl::IsAborted(session.status())) {
    session = runner_.Load({&default_, &artifact}, options);
  }
  ASSAY_ASSIGN_OR_RETURN(session_, std::move(session));
  return session_->SetInputs(program_.inputs);
}

// Makes `artifact` the point of the session.
absl::Status TrialRunner::Exchange(const runtime::Artifact& artifact) {
  if (session_ == nullptr) return Load(artifact);
  const absl::Status status = session_->Replace(artifact);
  return absl::IsUnimplemented(status) ? Load(artifact) : status;
}

// Takes alternating samples of both programs, and adds those of the point to
// `record`, after it ran once and was correct.
absl::Status TrialRunner::Measure(TuningRecord* record) {
  const auto pairs = std::clamp<int64_t>(
      options_.trial_nanos /
          std::max<int64_t>(options_.min_sample_nanos,
                            static_cast<int64_t>(default_run_ns_)) /
          2,
      2, kMaxTrialSamples);
  runtime::Block block;
  for (int64_t i = 0; i < pairs; ++i) {
    // Neither program always comes first.
    const int first = i % 2 == 0 ? kPoint : kDefault;
    block.samples.push_back({first});
    block.samples.push_back({kPoint + kDefault - first});
  }
  block.min_sample_nanos = options_.min_sample_nanos;
  block.cooldown_nanos = options_.cooldown_nanos;
  block.time_calls = true;
  ASSAY_ASSIGN_OR_RETURN(const std::vector<runtime::Sample> samples,
                         session_->RunBlock(block));
  for (size_t i = 0; i < samples.size(); ++i) {
    const bool is_point = block.samples[i].program == kPoint;
    if (!is_point) {
      default_run_ns_ = std::min(default_run_ns_, samples[i].NanosPerRun());
    }
    (is_point ? record->samples_ns : record->default_ns)
        .push_back(NanosPerCall(samples[i], program_.calls));
  }
  return absl::OkStatus();
}

// Checks the first run of a point, and measures the point if it is correct.
absl::Status TrialRunner::Check(const runtime::Artifact& artifact,
                                TuningRecord* record) {
  ASSAY_RETURN_IF_ERROR(Exchange(artifact));
  ++points_;
  ASSAY_ASSIGN_OR_RETURN(const runtime::Sample first,
                         runtime::RunOnce(*session_, kPoint));
  const Accuracy accuracy = CheckOutputs(first.outputs, program_.expected);
  record->max_error = accuracy.max_abs_error;
  if (!accuracy.correct) {
    record->status = TrialStatus::kWrong;
    record->error = accuracy.problem;
    return absl::OkStatus();
  }
  const double nanos = first.NanosPerRun();
  if (default_run_ns_ > 0 && nanos > kEarlyStopRatio * default_run_ns_ &&
      nanos > static_cast<double>(options_.min_sample_nanos)) {
    record->samples_ns = {nanos / program_.calls};
    record->default_ns = {default_run_ns_ / program_.calls};
    return absl::OkStatus();
  }
  if (default_run_ns_ == 0) default_run_ns_ = nanos;
  return Measure(record);
}

TuningRecord TrialRunner::Attempt(const runtime::Artifact& artifact,
                                  const TuningRecord& header) {
  TuningRecord record = header;
  const absl::Status status = Check(artifact, &record);
  if (!status.ok()) {
    record = header;
    record.status = TrialStatusOf(status);
    record.error = std::string(status.message());
  }
  if (record.status != TrialStatus::kOk) session_.reset();
  return record;
}

TuningRecord TrialRunner::RunDefault(runtime::Artifact artifact,
                                     const TuningRecord& header) {
  session_.reset();
  default_run_ns_ = 0;
  default_ = std::move(artifact);
  TuningRecord record = Attempt(default_, header);
  record.default_ns.clear();
  return record;
}

TuningRecord TrialRunner::Run(const runtime::Artifact& artifact,
                              const TuningRecord& header) {
  CHECK(default_run_ns_ > 0) << "the default point was not measured";
  TuningRecord record = Attempt(artifact, header);
  if (record.status == TrialStatus::kWrong && points_ > 1) {
    record = Attempt(artifact, header);
  }
  return record;
}

}  // namespace assay::suites
