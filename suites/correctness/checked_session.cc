#include "suites/correctness/checked_session.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/comparators.h"

namespace assay::suites {

absl::Status CheckedSession::UseExample(size_t example) {
  if (current_ == example) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(session_->SetInputs(examples_[example].inputs));
  current_ = example;
  return absl::OkStatus();
}

absl::StatusOr<Accuracy> CheckedSession::Compare(
    const runtime::NamedTensors& outputs, const Example& example) const {
  return AcceptOutputs(
      {outputs, example.answer, rule_, example.sensitivity.get()});
}

absl::StatusOr<Accuracy> CheckedSession::Examine(int program) {
  CHECK(!examples_.empty());
  records_[program] = std::make_shared<Record>();
  std::vector<runtime::NamedTensors>& outputs = records_[program]->outputs;
  std::optional<Accuracy> all;
  for (size_t i = 0; i < examples_.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(UseExample(i));
    ASSAY_ASSIGN_OR_RETURN(runtime::Sample sample,
                           runtime::RunOnce(*session_, program));
    if (i == 0) examined_ns_ = sample.NanosPerRun();
    outputs.push_back(std::move(sample.outputs));
    ASSAY_ASSIGN_OR_RETURN(Accuracy accuracy,
                           Compare(outputs.back(), examples_[i]));
    if (!accuracy.correct) return accuracy;
    Merge(std::move(accuracy), &all);
  }
  return *std::move(all);
}

absl::StatusOr<double> CheckedSession::TimeFirstExample(
    const runtime::Block& block) {
  ASSAY_RETURN_IF_ERROR(UseExample(0));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<runtime::Sample> samples,
                         RunBlock(block));
  double fastest_ns = std::numeric_limits<double>::infinity();
  for (const runtime::Sample& sample : samples) {
    fastest_ns = std::min(fastest_ns, sample.NanosPerRun());
  }
  return fastest_ns;
}

absl::StatusOr<std::string> CheckedSession::ExamineLate(
    const LateExamples& late, double run_ns, const runtime::Block& control) {
  double fastest_ns = std::numeric_limits<double>::infinity();
  double control_ns = std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < kMaxLateRuns; ++i) {
    const Example example = late(i);
    current_ = std::nullopt;
    ASSAY_RETURN_IF_ERROR(session_->SetInputs(example.inputs));
    ASSAY_ASSIGN_OR_RETURN(const runtime::Sample sample,
                           runtime::RunOnce(*session_));
    fastest_ns = std::min(fastest_ns, sample.NanosPerRun());
    if (!example.answer.empty()) {
      ASSAY_ASSIGN_OR_RETURN(const Accuracy accuracy,
                             Compare(sample.outputs, example));
      if (!accuracy.correct) {
        return absl::StrCat("on an input that was not timed: ",
                            accuracy.problem);
      }
    }
    const double usual_ns =
        i < kMinControls
            ? run_ns
            : std::clamp(control_ns, run_ns, kMaxBusyRatio * run_ns);
    if (fastest_ns <= kMaxLateRatio * usual_ns + kMinLateNanos) {
      ASSAY_RETURN_IF_ERROR(UseExample(0));
      return std::string();
    }
    ASSAY_ASSIGN_OR_RETURN(const double sample_ns, TimeFirstExample(control));
    if (!problem().empty()) return problem();
    control_ns = std::min(control_ns, sample_ns);
  }
  return absl::StrFormat(
      "a run takes %.3f ms on a new input, but %.3f ms when it is repeated; "
      "results of earlier runs must have been used",
      fastest_ns * 1e-6, std::max(run_ns, control_ns) * 1e-6);
}

absl::StatusOr<std::unique_ptr<CheckedSession>>
CheckedSession::LoadForComparison(
    absl::Span<const runtime::Artifact* const> artifacts,
    runtime::Runner& runner, runtime::LoadOptions options) const {
  options.threads = threads();
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                         runner.Load(artifacts, options));
  return std::make_unique<CheckedSession>(std::move(session), examples_, rule_,
                                          num_timed_);
}

absl::Status CheckedSession::BeginRound(int64_t round) {
  return UseExample(static_cast<size_t>(round) % num_timed_);
}

absl::Status CheckedSession::SetInputs(const runtime::NamedTensors&) {
  return absl::FailedPreconditionError(
      "the inputs of a checked session are those of its examples");
}

absl::StatusOr<std::vector<runtime::Sample>> CheckedSession::RunBlock(
    const runtime::Block& block) {
  runtime::Block checked = block;
  checked.read_outputs = true;
  checked.checked_run_seed = rng_.NextU64() | 1;
  ASSAY_ASSIGN_OR_RETURN(std::vector<runtime::Sample> samples,
                         session_->RunBlock(checked));
  for (size_t i = 0; i < samples.size(); ++i) {
    const int program = block.samples[i].program;
    const auto found = records_.find(program);
    CHECK(found != records_.end() && current_.has_value() &&
          *current_ < found->second->outputs.size())
        << "measured before it was examined";
    Record& record = *found->second;
    if (record.problem.empty() &&
        !SameBits(samples[i].outputs, record.outputs[*current_])) {
      record.problem =
          "an output of a timed run differs from that of the first run; the "
          "same code on the same input must give the same bits";
    }
  }
  return samples;
}

}  // namespace assay::suites
