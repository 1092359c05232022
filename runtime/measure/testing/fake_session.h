// FakeSession: a session that runs no program. A test defines the times and the
// outputs of the runs.
//
//   FakeClock clock;
//   FakeSession session(&clock);
//   session.run = [](int program, int64_t number) { return number * 1000; };
#ifndef ASSAY_RUNTIME_MEASURE_TESTING_FAKE_SESSION_H_
#define ASSAY_RUNTIME_MEASURE_TESTING_FAKE_SESSION_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/clock.h"
#include "runtime/measure/loop_session.h"

namespace assay::runtime {

class FakeSession : public LoopSession {
 public:
  // `clock` must outlive the session.
  explicit FakeSession(FakeClock* clock) : LoopSession(clock), clock_(clock) {}

  // Returns the time of `number` runs in nanoseconds. The session advances the
  // clock by this time.
  std::function<absl::StatusOr<int64_t>(int program, int64_t number)> run =
      [](int, int64_t number) { return number; };
  std::function<NamedTensors(int program)> outputs = [](int) {
    return NamedTensors();
  };
  std::function<absl::Status(const NamedTensors&)> set_inputs =
      [](const NamedTensors&) { return absl::OkStatus(); };
  // Returns the time of each kernel call in nanoseconds. The session advances
  // the clock by the sum of these times.
  std::function<std::vector<int64_t>(int program)> calls = [](int) {
    return std::vector<int64_t>();
  };

  // The time of loading in nanoseconds; nothing if it was not timed.
  std::optional<int64_t> load_nanos;

  int threads() const override { return 1; }
  absl::Status SetInputs(const NamedTensors& inputs) override {
    return set_inputs(inputs);
  }
  absl::StatusOr<int64_t> LoadNanos() override {
    if (!load_nanos.has_value()) return LoopSession::LoadNanos();
    return *load_nanos;
  }

 private:
  absl::StatusOr<int64_t> TimeRuns(int program, int64_t number,
                                   bool /*poison_outputs*/) override {
    absl::StatusOr<int64_t> nanos = run(program, number);
    if (nanos.ok()) clock_->Advance(*nanos);
    return nanos;
  }
  absl::StatusOr<int64_t> TimeRunByCall(
      int program, bool poison_outputs,
      std::vector<int64_t>* call_nanos) override {
    *call_nanos = calls(program);
    if (call_nanos->empty()) return TimeRuns(program, 1, poison_outputs);
    int64_t sum = 0;
    for (const int64_t nanos : *call_nanos) sum += nanos;
    clock_->Advance(sum);
    return sum;
  }
  absl::StatusOr<NamedTensors> Outputs(int program) override {
    return outputs(program);
  }

  FakeClock* const clock_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_TESTING_FAKE_SESSION_H_
