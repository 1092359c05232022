// CheckedSession: a session that is watched while it is timed.
//
// It knows several inputs and the right answer to each. Examine() asks all and
// compares. From then on the inputs change from round to round, and the last
// run of every sample must give, bit by bit, what Examine() saw for the input
// of that round: the same code on the same input must give the same bits, a
// result that was kept from an earlier round is that of another input, and what
// was not computed at all was overwritten before (runtime/measure). Who
// measures is not interrupted; problem() is to be asked before a time is
// published.
#ifndef ASSAY_SUITES_CORRECTNESS_CHECKED_SESSION_H_
#define ASSAY_SUITES_CORRECTNESS_CHECKED_SESSION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/detections.h"
#include "suites/harness/services.h"

namespace assay::suites {

// What a model is asked, and the right answer.
struct Example {
  runtime::NamedTensors inputs;
  runtime::NamedTensors answer;
};

class CheckedSession : public Session {
 public:
  // `session` has the inputs of the first example, of which there is at least
  // one; they outlive this. The rule is of a detector.
  CheckedSession(std::unique_ptr<Session> session,
                 absl::Span<const Example> examples,
                 std::optional<SuppressionRule> rule)
      : session_(std::move(session)),
        examples_(examples),
        rule_(std::move(rule)) {}

  // The first answer that is wrong, or else the one closest to its bound.
  absl::StatusOr<Accuracy> Examine();

  // One sentence on the first output of a timed run that was not as before;
  // empty if there was none.
  const std::string& problem() const { return problem_; }

  // Another artifact, to be examined with the same examples: in the same
  // memory if that can be, else loaded by `runner`.
  absl::StatusOr<std::unique_ptr<CheckedSession>> LoadForComparison(
      const runtime::Artifact& artifact, Runner* runner);
  // The same, loaded by `runner`.
  absl::StatusOr<std::unique_ptr<CheckedSession>> LoadIsolated(
      const runtime::Artifact& artifact, Runner* runner) const;

  int threads() const override { return session_->threads(); }
  absl::StatusOr<runtime::NamedTensors> Evaluate() override;
  absl::StatusOr<Measurement> Measure(
      const devices::TimingPolicy& timing) override;
  absl::Status BeginRound(int64_t round) override;
  absl::StatusOr<std::vector<int64_t>> TimeCalls() override;

 private:
  absl::Status Ask(size_t example);

  const std::unique_ptr<Session> session_;
  const absl::Span<const Example> examples_;
  const std::optional<SuppressionRule> rule_;
  size_t asked_ = 0;
  // What the examples gave.
  std::vector<runtime::NamedTensors> outputs_;
  std::string problem_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_CHECKED_SESSION_H_
