#include "suites/correctness/checked_session.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::Status CheckedSession::Ask(size_t example) {
  asked_ = example;
  // Set even if it was the last that this session was asked: one that lies
  // beside it may have been asked another since, in the same memory.
  if (examples_.size() == 1) return absl::OkStatus();
  return session_->SetInputs(examples_[example].inputs);
}

absl::StatusOr<Accuracy> CheckedSession::Examine() {
  CHECK(!examples_.empty());
  outputs_.clear();
  std::optional<Accuracy> worst;
  for (size_t i = 0; i < examples_.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(Ask(i));
    ASSAY_ASSIGN_OR_RETURN(runtime::NamedTensors outputs, session_->Evaluate());
    Accuracy accuracy = CheckOutputs(outputs, examples_[i].answer, rule_);
    outputs_.push_back(std::move(outputs));
    if (!accuracy.correct) return accuracy;
    // Bounds depend on the answer; the error counts in units of its own.
    if (!worst.has_value() || accuracy.max_abs_error * worst->bound >
                                  worst->max_abs_error * accuracy.bound) {
      worst = std::move(accuracy);
    }
  }
  return *std::move(worst);
}

absl::StatusOr<std::unique_ptr<CheckedSession>>
CheckedSession::LoadForComparison(const runtime::Artifact& artifact,
                                  Runner* runner) {
  // Its memory has the inputs of the last example that was asked.
  ASSAY_RETURN_IF_ERROR(Ask(0));
  absl::StatusOr<std::unique_ptr<Session>> beside =
      session_->LoadSharingMemory(artifact, examples_[0].inputs);
  if (absl::IsUnimplemented(beside.status())) {
    return LoadIsolated(artifact, runner);
  }
  ASSAY_RETURN_IF_ERROR(beside.status());
  return std::make_unique<CheckedSession>(*std::move(beside), examples_, rule_);
}

absl::StatusOr<std::unique_ptr<CheckedSession>> CheckedSession::LoadIsolated(
    const runtime::Artifact& artifact, Runner* runner) const {
  ASSAY_ASSIGN_OR_RETURN(
      std::unique_ptr<Session> session,
      runner->Load(artifact, examples_[0].inputs, threads()));
  return std::make_unique<CheckedSession>(std::move(session), examples_, rule_);
}

absl::StatusOr<runtime::NamedTensors> CheckedSession::Evaluate() {
  return session_->Evaluate();
}

absl::StatusOr<Measurement> CheckedSession::Measure(
    const devices::TimingPolicy& timing) {
  ASSAY_ASSIGN_OR_RETURN(Measurement measurement, session_->Measure(timing));
  CHECK(asked_ < outputs_.size()) << "measured before it was examined";
  if (problem_.empty() && !SameBits(measurement.outputs, outputs_[asked_])) {
    problem_ =
        "an output of a timed run is not that of the first run; the same code "
        "on the same input must give the same bits";
  }
  return measurement;
}

absl::Status CheckedSession::BeginRound(int64_t round) {
  return Ask(static_cast<size_t>(round) % examples_.size());
}

absl::StatusOr<std::vector<int64_t>> CheckedSession::TimeCalls() {
  return session_->TimeCalls();
}

}  // namespace assay::suites
