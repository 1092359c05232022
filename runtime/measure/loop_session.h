// LoopSession: a base class for sessions that execute a block by a loop in this
// process. Derived classes implement how to run a program a number of times.
//
// The loop implements the interface of Session: warm-up, pauses, samples that
// grow to their minimum time, and the time limit. It reads time from a Clock,
// so that tests can use a FakeClock.
#ifndef ASSAY_RUNTIME_MEASURE_LOOP_SESSION_H_
#define ASSAY_RUNTIME_MEASURE_LOOP_SESSION_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/base/clock.h"
#include "runtime/measure/session.h"

namespace assay::runtime {

class LoopSession : public Session {
 public:
  // A block that takes longer than `time_limit_s` fails, at the latest when the
  // current runs have ended; 0 is no limit.
  explicit LoopSession(Clock* clock = Clock::Monotonic(),
                       double time_limit_s = 0)
      : clock_(clock), time_limit_s_(time_limit_s) {}

  // Facts of this machine; overridden by sessions that run elsewhere.
  DeviceFacts facts() const override { return DescribeHost(); }

  absl::StatusOr<std::vector<Sample>> RunBlock(const Block& block) final;

  // Unimplemented unless overridden.
  absl::Status SetInputs(const NamedTensors& inputs) override;
  absl::StatusOr<std::vector<int64_t>> TimeCalls(int program) override;
  absl::Status FlushCaches(int64_t bytes) override;

 protected:
  // Calls `run` `number` times; returns the nanoseconds that the calls took.
  // `before_last` is called before the last one and not timed; may be null.
  absl::StatusOr<int64_t> TimeLoop(
      int64_t number, absl::FunctionRef<absl::Status()> run,
      const std::function<absl::Status()>& before_last = nullptr) const;

 private:
  // Runs the program `number` times in a row; returns the nanoseconds. With
  // `poison_outputs`, overwrites its outputs before the last run, not timed.
  virtual absl::StatusOr<int64_t> TimeRuns(int program, int64_t number,
                                           bool poison_outputs) = 0;
  // Outputs of the last run.
  virtual absl::StatusOr<NamedTensors> Outputs(int program) = 0;

  absl::StatusOr<Sample> Take(const SampleSpec& spec, const Block& block);
  absl::Status WarmUp(const SampleSpec& spec);
  absl::Status CheckTime() const;

  Clock* const clock_;
  const double time_limit_s_;
  int64_t start_nanos_ = 0;  // of the current block
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_LOOP_SESSION_H_
