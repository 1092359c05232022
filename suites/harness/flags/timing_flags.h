// The flags that determine how a row is timed.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_TIMING_FLAGS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_TIMING_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "devices/device.pb.h"
#include "suites/harness/flags/flag_group.h"

namespace assay::suites {

struct TimingOptions {
  // Values that override the device's timing policy (devices::TimingPolicy). A
  // missing value is taken from the policy.
  std::optional<int> warmup;
  std::optional<int> number;
  std::optional<int> repeat;
  std::optional<int> min_repeat_ms;
  std::optional<int> cooldown_ms;
  // Seed of the model's inputs and of the order of measurements.
  uint64_t seed = 0;
  // True if, in addition, every kernel is timed separately.
  bool per_op = false;
};

// Adds the flags to `app`. `options` must outlive `app` and the returned
// function.
FinishFlags AddTimingFlags(CLI::App& app, TimingOptions* options);

// Returns the timing policy of the device, with the values that `options`
// overrides.
devices::TimingPolicy TimingFor(const TimingOptions& options,
                                const devices::Device& device);

// The version of the way in which samples are taken. It must be incremented if
// a change of the harness, other than of its flags, can change the times of
// unchanged programs. Otherwise the history of the nightly runs takes such a
// change for one of the machine (reports/history).
constexpr int kTimingMethod = 1;

// Returns the version of the method, the policy and the seed of the inputs on
// one line, as Timing::policy (reports/result/run_result.h).
std::string PolicyText(const devices::TimingPolicy& timing, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_TIMING_FLAGS_H_
