#include "suites/tune/search/trial.h"

#include <algorithm>
#include <utility>

#include "reports/stats/summary.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/accuracy.h"

namespace assay::suites {
namespace {

// The programs of a session.
constexpr int kDefault = 0;
constexpr int kPoint = 1;

TrialResult Failure(const absl::Status& status) {
  TrialResult result;
  result.error = std::string(status.message());
  switch (status.code()) {
    case absl::StatusCode::kDeadlineExceeded:
      result.status = TrialStatus::kTimeout;
      break;
    case absl::StatusCode::kAborted:
      result.status = TrialStatus::kDeviceLost;
      break;
    default:
      result.status = TrialStatus::kRunError;
  }
  return result;
}

TrialResult Wrong(std::string problem, std::optional<double> max_error) {
  TrialResult result;
  result.status = TrialStatus::kWrong;
  result.error = std::move(problem);
  result.max_error = max_error;
  return result;
}

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
// `result`, after it ran once and was correct.
absl::Status TrialRunner::Measure(TrialResult* result) {
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
    (is_point ? result->samples_ns : result->default_ns)
        .push_back(NanosPerCall(samples[i], program_.calls));
  }
  return absl::OkStatus();
}

TrialResult TrialRunner::Attempt(const runtime::Artifact& artifact) {
  const absl::Status ready = Exchange(artifact);
  if (!ready.ok()) return Failure(ready);
  ++points_;
  const auto first = runtime::RunOnce(*session_, kPoint);
  if (!first.ok()) return Failure(first.status());
  const Accuracy accuracy = CheckOutputs(first->outputs, program_.expected);
  if (!accuracy.correct) {
    return Wrong(accuracy.problem, accuracy.max_abs_error);
  }
  TrialResult result;
  result.max_error = accuracy.max_abs_error;
  const double nanos = first->NanosPerRun();
  if (default_run_ns_ > 0 && nanos > kHopeless * default_run_ns_ &&
      nanos > static_cast<double>(options_.min_sample_nanos)) {
    result.samples_ns = {nanos / program_.calls};
    result.default_ns = {default_run_ns_ / program_.calls};
    return result;
  }
  if (default_run_ns_ == 0) default_run_ns_ = nanos;
  const absl::Status status = Measure(&result);
  return status.ok() ? result : Failure(status);
}

TrialResult TrialRunner::RunDefault(runtime::Artifact artifact) {
  session_.reset();
  default_run_ns_ = 0;
  default_ = std::move(artifact);
  TrialResult result = Attempt(default_);
  if (result.status != TrialStatus::kOk) session_.reset();
  result.default_ns.clear();
  return result;
}

TrialResult TrialRunner::Run(const runtime::Artifact& artifact) {
  CHECK(default_run_ns_ > 0) << "the default point was not measured";
  TrialResult result = Attempt(artifact);
  const bool was_alone = points_ == 1;
  if (result.status == TrialStatus::kOk) return result;
  session_.reset();
  if (result.status != TrialStatus::kWrong || was_alone) return result;
  result = Attempt(artifact);
  if (result.status != TrialStatus::kOk) session_.reset();
  return result;
}

}  // namespace assay::suites
