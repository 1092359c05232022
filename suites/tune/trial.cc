#include "suites/tune/trial.h"

#include <memory>

#include "absl/status/status.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/compile_options.h"
#include "suites/correctness/accuracy.h"

namespace assay::suites {
namespace {

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

// Returns true if the outputs of the sample are correct; otherwise sets the
// status of `result`.
bool IsCorrect(const runtime::Sample& sample, const KernelProgram& program,
               TrialResult* result) {
  const Accuracy accuracy = CheckOutputs(sample.outputs, program.expected);
  result->max_error = accuracy.max_abs_error;
  if (accuracy.correct) return true;
  result->status = TrialStatus::kWrong;
  result->error = accuracy.problem;
  result->samples_ns.clear();
  return false;
}

}  // namespace

absl::StatusOr<runtime::Artifact> TrialRunner::Build(
    const driver::TunedKernel& choice) const {
  driver::CompileOptions options;
  options.tuned[key_] = choice;
  return driver::CompileKernelGraph(*program_.graph, target_, options);
}

TrialResult TrialRunner::Run(const runtime::Artifact& artifact,
                             const TrialOptions& options) {
  const auto session = runner_.Load({&artifact}, {threads_});
  if (!session.ok()) return Failure(session.status());
  const absl::Status set = (*session)->SetInputs(program_.inputs);
  if (!set.ok()) return Failure(set);
  TrialResult result;
  const auto first = runtime::RunOnce(**session);
  if (!first.ok()) return Failure(first.status());
  if (!IsCorrect(*first, program_, &result)) return result;
  runtime::Block block;
  block.samples.assign(static_cast<size_t>(options.samples), {});
  block.min_sample_nanos = options.min_sample_nanos;
  block.read_outputs = true;
  const auto samples = (*session)->RunBlock(block);
  if (!samples.ok()) return Failure(samples.status());
  for (const runtime::Sample& sample : *samples) {
    if (!IsCorrect(sample, program_, &result)) return result;
    result.samples_ns.push_back(sample.NanosPerRun() / program_.calls);
  }
  return result;
}

}  // namespace assay::suites
