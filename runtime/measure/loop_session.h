// LoopSession: a base class for sessions. It implements RunBlock() with a loop
// in this process. Derived classes implement TimeRuns(), which runs a program a
// given number of times.
//
// The loop implements warm-up, pauses and the minimum time of samples. It reads
// the time from a Clock, so that tests can use a FakeClock.
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
  // `clock` must outlive the session.
  explicit LoopSession(Clock* clock = Clock::Monotonic()) : clock_(clock) {}

  // Returns the facts of this machine. Must be overridden by sessions that run
  // programs elsewhere.
  DeviceFacts facts() const override { return DescribeHost(); }

  absl::StatusOr<std::vector<Sample>> RunBlock(const Block& block) final;

  // Returns Unimplemented unless it is overridden.
  absl::Status SetInputs(const NamedTensors& inputs) override;

 protected:
  // Calls `run` `number` times and returns the time of the calls in
  // nanoseconds. `before_last`, if not null, is called before the last call of
  // `run`; the time of `before_last` is not included.
  absl::StatusOr<int64_t> TimeLoop(
      int64_t number, absl::FunctionRef<absl::Status()> run,
      const std::function<absl::Status()>& before_last = nullptr) const;

 private:
  // Runs the program `number` times in succession and returns the time of the
  // runs in nanoseconds. If `poison_outputs` is true, poisons the outputs of
  // the program before the last run; the time of the poisoning is not included.
  virtual absl::StatusOr<int64_t> TimeRuns(int program, int64_t number,
                                           bool poison_outputs) = 0;
  // Poisons the outputs of the program if `poison_outputs` is true, and then
  // runs the program once. Returns the time of the run, and stores the time of
  // each kernel call in `*call_nanos`, which is empty before. The default
  // implementation leaves it empty.
  virtual absl::StatusOr<int64_t> TimeRunByCall(
      int program, bool poison_outputs, std::vector<int64_t>* /*call_nanos*/) {
    return TimeRuns(program, /*number=*/1, poison_outputs);
  }
  // Returns the outputs of the last run of the program.
  virtual absl::StatusOr<NamedTensors> Outputs(int program) = 0;
  // Evicts the caches (Block::flush_cache_bytes). Returns Unimplemented unless
  // it is overridden.
  virtual absl::Status FlushCaches(int64_t bytes);

  absl::StatusOr<Sample> Take(const SampleSpec& spec, const Block& block);
  absl::Status WarmUp(const SampleSpec& spec);
  // Runs the program `sample->number` times and sets `sample->nanos`. Returns
  // true if it has also set `sample->outputs`. Otherwise the checked run is the
  // last one, and the caller reads its outputs if the block asks for them.
  absl::StatusOr<bool> TakeOnce(int program, const Block& block,
                                Sample* sample);

  Clock* const clock_;
  int64_t samples_ = 0;  // number of checked runs drawn from checked_run_seed
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_LOOP_SESSION_H_
