// ScriptedRunner: runs programs on a real runner, but with the times of a
// script. What depends on times, such as the verdict of a comparison, is then
// the same on every machine, idle or busy, while outputs are real.
//
//   FakeClock clock;
//   InProcessRunner real;
//   MachineScript script;
//   script.load_spread = 0.05;  // processes differ by 5 %
//   ScriptedRunner runner(&real, script, &clock);
//
// A program runs only once on each input, whatever the number of samples and
// loads, and its outputs are kept: the script says how long runs take. The
// artifacts must outlive the runner and must not change.
#ifndef ASSAY_RUNTIME_MEASURE_TESTING_SCRIPTED_RUNNER_H_
#define ASSAY_RUNTIME_MEASURE_TESTING_SCRIPTED_RUNNER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/measure/session.h"

namespace assay::runtime {

// Returns 1 us, and 1 ns for every hundred arithmetic operations.
double NanosByFlops(const KernelCall& call);

// A machine with neighbours, which make calls longer, and with loads that
// differ.
struct MachineScript {
  // Returns the time in nanoseconds of a call that nothing disturbs.
  std::function<double(const Artifact& artifact, const KernelCall& call)>
      call_nanos = [](const Artifact&, const KernelCall& call) {
        return NanosByFlops(call);
      };
  // Each call is longer by a random share between 0 and `scatter`.
  double scatter = 0.01;
  // Standard deviation of the logarithm of a factor that is drawn for each
  // session. The programs of one session share it.
  double load_spread = 0;
  // Time of loading a session.
  int64_t load_nanos = 1'000'000;
  // If true, Load() returns Unimplemented for two artifacts.
  bool one_artifact = false;
  uint64_t seed = 1;
};

class ScriptedRunner : public Runner {
 public:
  // The arguments must outlive the runner and its sessions. `clock` advances by
  // the times of the script; it may be null.
  ScriptedRunner(Runner* real, MachineScript script, FakeClock* clock)
      : real_(*real), script_(std::move(script)), clock_(clock) {}

  DeviceFacts facts() const override { return real_.facts(); }
  absl::StatusOr<std::unique_ptr<Session>> Load(
      absl::Span<const Artifact* const> artifacts,
      const LoadOptions& options) override;

 private:
  // Outputs by artifact and digest of the inputs.
  using Outputs =
      std::map<std::pair<const Artifact*, std::string>, NamedTensors>;

  class ScriptedSession;

  Runner& real_;
  const MachineScript script_;
  FakeClock* const clock_;
  uint64_t loads_ = 0;
  Outputs outputs_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_TESTING_SCRIPTED_RUNNER_H_
