#include "suites/harness/check.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/session.h"
#include "suites/correctness/checked_session.h"
#include "suites/correctness/rounding.h"
#include "suites/machine/environment.h"

namespace assay::suites {

// Times of a board are compared with those of the baseline only if its state is
// comparable.
absl::Status CheckStage::CheckBoard(const runtime::DeviceFacts& facts) const {
  const std::string now = ComparableState(EnvironmentOf(facts));
  const std::string before = ComparableState(environment_);
  if (facts.board.empty() || facts.emulated || now == before ||
      facts.fingerprint != environment_.fingerprint) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the board ", facts.board,
                   " is in another state than the board with which this run "
                   "began (",
                   StateChanges(before, now), ")"));
}

absl::StatusOr<CheckedCell> CheckStage::Check(const reports::CellKey& cell,
                                              const CompiledCell& compiled,
                                              const ModelAnswers& answers,
                                              const DeviceSlot& slot) const {
  CheckedCell checked;
  checked.key = cell;
  checked.board = slot.runner->facts().board;
  checked.artifact = compiled.artifact;
  if (!answers.contradiction().empty()) {
    checked.problem = answers.contradiction();
    return checked;
  }
  progress_.Step("checking the output");
  runtime::LoadOptions load;
  load.threads = cell.threads;
  load.from_bytes = true;  // the time of loading is reported
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                         slot.runner->Load({compiled.artifact.get()}, load));
  checked.board = session->facts().board;
  ASSAY_RETURN_IF_ERROR(CheckBoard(session->facts()));
  progress_.NameBoard(checked.board);
  CheckRule rule = InterpreterRule(answers.model());
  LimitByAgreement(*compiled.artifact, answers.agreement(), &rule);
  checked.session = std::make_unique<CheckedSession>(
      std::move(session), answers.For(slot.device), std::move(rule),
      answers.TimedFor(slot.device).size());
  ASSAY_ASSIGN_OR_RETURN(const Accuracy accuracy, checked.session->Examine());
  checked.outputs = checked.session->record()->outputs[0];
  checked.key.threads = checked.session->threads();
  checked.correctness = {accuracy.max_abs_error, accuracy.bound,
                         answers.no_second_opinion()};
  if (accuracy.correct) {
    checked.remark = JoinRemarks(accuracy);
  } else {
    checked.problem = accuracy.problem;
    checked.session = nullptr;
  }
  return checked;
}

}  // namespace assay::suites
