// CheckedSession: a session whose outputs are checked while it is timed.
//
// It has several examples: inputs and the correct outputs. Examine() runs all
// examples and compares the outputs. From then on the inputs change from round
// to round, and the last run of every sample must give, bit by bit, the outputs
// that Examine() saw for the inputs of that round: the same code on the same
// input must give the same bits. A result that was kept from an earlier round
// belongs to another input, and the buffer of an output that was not computed
// contains poison (runtime/measure/session.h). A deviation does not interrupt
// the measurement; callers must check problem() before they publish a time.
#ifndef ASSAY_SUITES_CORRECTNESS_CHECKED_SESSION_H_
#define ASSAY_SUITES_CORRECTNESS_CHECKED_SESSION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/measure/session.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/detections.h"

namespace assay::suites {

// Inputs of a model and the correct outputs.
struct Example {
  runtime::NamedTensors inputs;
  runtime::NamedTensors answer;
};

class CheckedSession : public runtime::Session {
 public:
  // `examples` must not be empty and must outlive the session. `rule` is set
  // for detectors.
  CheckedSession(std::unique_ptr<runtime::Session> session,
                 absl::Span<const Example> examples,
                 std::optional<SuppressionRule> rule)
      : session_(std::move(session)),
        examples_(examples),
        rule_(std::move(rule)) {}

  // Runs a program on all examples. Returns the first wrong result, or else the
  // one with the largest relative error. Must be called before measurements.
  absl::StatusOr<Accuracy> Examine(int program = 0);

  // Nanoseconds of the first run in Examine().
  double examined_ns() const { return examined_ns_; }

  // One sentence on the first output of a sample that differed from that of
  // Examine(); empty if there was none.
  std::string problem(int program = 0) const {
    const auto problem = problems_.find(program);
    return problem == problems_.end() ? "" : problem->second;
  }

  // Loads other artifacts, one or two that share memory, with the same examples
  // and the same number of threads. Not examined yet.
  absl::StatusOr<std::unique_ptr<CheckedSession>> LoadForComparison(
      absl::Span<const runtime::Artifact* const> artifacts,
      runtime::Runner& runner) const;

  // Sets the inputs of a round of samples, counted from 0.
  absl::Status BeginRound(int64_t round);

  runtime::DeviceFacts facts() const override { return session_->facts(); }
  int threads() const override { return session_->threads(); }
  absl::Status SetInputs(const runtime::NamedTensors& inputs) override;
  // Reads and checks the outputs of every sample.
  absl::StatusOr<std::vector<runtime::Sample>> RunBlock(
      const runtime::Block& block) override;
  absl::StatusOr<std::vector<int64_t>> TimeCalls(int program) override {
    return session_->TimeCalls(program);
  }
  absl::Status FlushCaches(int64_t bytes) override {
    return session_->FlushCaches(bytes);
  }

 private:
  absl::Status UseExample(size_t example);

  const std::unique_ptr<runtime::Session> session_;
  const absl::Span<const Example> examples_;
  const std::optional<SuppressionRule> rule_;
  std::optional<size_t> current_;  // the example whose inputs are set
  double examined_ns_ = 0;
  // By program: the outputs of Examine() by example, and the problem.
  std::map<int, std::vector<runtime::NamedTensors>> outputs_;
  std::map<int, std::string> problems_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_CHECKED_SESSION_H_
