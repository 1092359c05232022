// CheckedSession: a session that checks the outputs of its programs while they
// are timed.
//
// It has one or more examples, each of which consists of inputs and the correct
// outputs. Examine() runs all examples, compares the outputs with the correct
// outputs, and stores them. Callers then call BeginRound() before each round,
// which selects the example of the round. A run of every sample, drawn at
// random, must give the outputs that Examine() stored for this example, bit by
// bit, because the same code on the same input must give the same bits.
//
// This check detects programs that do not compute their outputs. An output that
// was kept from an earlier round belongs to another example, and an output that
// was not written contains poison (runtime/measure/session.h). A wrong output
// does not interrupt the measurement; callers must check problem() before they
// publish a time.
//
// The last examples may be left out of the rounds, so that only Examine() runs
// them. This is for inputs of a user: only these are timed, but other inputs
// are checked, too.
//
// A program could still keep the outputs of all examples, or compute only if it
// finds poison. After a program was timed, ExamineLate() therefore runs it on
// inputs that it has never seen: such a program is wrong, or takes longer.
#ifndef ASSAY_SUITES_CORRECTNESS_CHECKED_SESSION_H_
#define ASSAY_SUITES_CORRECTNESS_CHECKED_SESSION_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/base/random.h"
#include "runtime/measure/session.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/rounding_sensitivity.h"

namespace assay::suites {

// An Example consists of inputs of a model and the correct outputs (`answer`).
// If `sensitivity` is not null, outputs that disagree with the answer are
// compared once more, with what rounding alone changes for these inputs taken
// into account.
struct Example {
  runtime::NamedTensors inputs;
  runtime::NamedTensors answer;
  std::shared_ptr<RoundingSensitivity> sensitivity = nullptr;
};

// Makes the examples of CheckedSession::ExamineLate(), from index 0. They are
// made one at a time, because few are needed as a rule and may be large.
using LateExamples = std::function<Example(int64_t index)>;

// Limits of CheckedSession::ExamineLate(). There are many runs, because on a
// busy machine most runs take longer; and a single run on new input takes
// longer than a timed run, because caches are cold.
constexpr int64_t kMaxLateRuns = 24;
constexpr int64_t kMinControls = 5;
constexpr double kMaxBusyRatio = 8;
constexpr double kMaxLateRatio = 1.6;
constexpr double kMinLateNanos = 100'000;

class CheckedSession : public runtime::Session {
 public:
  // `examples` must not be empty and must outlive the session. `rule` says how
  // outputs are compared with answers. The rounds use the first `num_timed`
  // examples, by default all.
  CheckedSession(std::unique_ptr<runtime::Session> session,
                 absl::Span<const Example> examples, CheckRule rule = {},
                 std::optional<size_t> num_timed = std::nullopt)
      : session_(std::move(session)),
        examples_(examples),
        rule_(std::move(rule)),
        num_timed_(num_timed.value_or(examples.size())) {}

  // Runs a program on all examples. Returns the result of the first example
  // whose outputs are wrong. If all are correct, returns the result with the
  // largest error relative to its bound, and all remarks (Merge() of
  // accuracy.h). Examine() must be called for each program before RunBlock()
  // measures the program.
  absl::StatusOr<Accuracy> Examine(int program = 0);

  // Examines program 0 again after it was timed. Runs it once on each of the
  // examples `late`, which it has not seen yet, until a run takes about
  // `run_ns`, the measured time of a timed run. Returns one sentence if an
  // output is wrong, or if each of kMaxLateRuns runs takes so much longer that
  // timed runs cannot have done the same work; otherwise an empty string.
  // Outputs of examples without an answer are not checked. A difference of less
  // than kMinLateNanos is ignored.
  //
  // If the machine has become busy since the program was timed, all runs take
  // longer. Therefore slow runs alternate with controls, which repeat a timed
  // sample: `control` is a block of such samples of the program. The runs are
  // not too slow if they take about as long as the fastest sample of at least
  // kMinControls controls. If controls take more than kMaxBusyRatio * `run_ns`,
  // the runs are compared with kMaxBusyRatio * `run_ns`. Controls are checked
  // as timed samples are.
  absl::StatusOr<std::string> ExamineLate(const LateExamples& late,
                                          double run_ns,
                                          const runtime::Block& control);

  // Returns the time in nanoseconds of the first run in the last Examine().
  double examined_ns() const { return examined_ns_; }

  // What Examine() observed of a program, and the first problem since then.
  // Sessions that load the same artifact again share a record.
  struct Record {
    std::vector<runtime::NamedTensors> outputs;  // by example
    // One sentence about the first sample of the program whose outputs differed
    // from the outputs in Examine(); empty if there was none.
    std::string problem;
  };
  // Returns the record of an examined program.
  std::shared_ptr<Record> record(int program = 0) const {
    return records_.at(program);
  }
  // Returns Record::problem of a program.
  std::string problem(int program = 0) const {
    const auto record = records_.find(program);
    return record == records_.end() ? "" : record->second->problem;
  }
  // Replaces Examine() for a program that was examined in another session: the
  // same artifact on a device of the same kind.
  void Expect(int program, std::shared_ptr<Record> record) {
    records_[program] = std::move(record);
  }

  // Loads one or two other artifacts with `runner` (Runner::Load). The new
  // session has the same examples and the same number of threads, whatever
  // `options.threads` is. Examine() or Expect() must be called for its
  // programs.
  absl::StatusOr<std::unique_ptr<CheckedSession>> LoadForComparison(
      absl::Span<const runtime::Artifact* const> artifacts,
      runtime::Runner& runner, runtime::LoadOptions options) const;

  // Returns the number of examples that the rounds use.
  int64_t num_timed_examples() const {
    return static_cast<int64_t>(num_timed_);
  }

  // Sets the inputs to those of the example for the given round. Rounds are
  // counted from 0 and use the timed examples in turn.
  absl::Status BeginRound(int64_t round);

  runtime::DeviceFacts facts() const override { return session_->facts(); }
  int threads() const override { return session_->threads(); }
  // Returns FailedPrecondition, because the examples define the inputs.
  absl::Status SetInputs(const runtime::NamedTensors& inputs) override;
  // Reads and checks the outputs of every sample. CHECK-fails if a program was
  // not examined.
  absl::StatusOr<std::vector<runtime::Sample>> RunBlock(
      const runtime::Block& block) override;
  absl::StatusOr<int64_t> LoadNanos() override { return session_->LoadNanos(); }
  absl::StatusOr<int64_t> PeakResidentBytes() override {
    return session_->PeakResidentBytes();
  }

 private:
  absl::Status UseExample(size_t example);
  // Runs `block` on the first example. Returns the fastest sample's nanoseconds
  // per run.
  absl::StatusOr<double> TimeFirstExample(const runtime::Block& block);
  absl::StatusOr<Accuracy> Compare(const runtime::NamedTensors& outputs,
                                   const Example& example) const;

  const std::unique_ptr<runtime::Session> session_;
  const absl::Span<const Example> examples_;
  const CheckRule rule_;
  const size_t num_timed_;
  std::optional<size_t> current_;  // the example whose inputs are set
  double examined_ns_ = 0;
  Rng rng_{std::random_device{}()};  // draws the runs whose outputs are checked
  std::map<int, std::shared_ptr<Record>> records_;  // by program
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_CHECKED_SESSION_H_
