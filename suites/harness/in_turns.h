// MeasureInTurns: a model against the same model in another runtime, one
// sample of each in turn, for the reasons that suites/kernels/interleave.h
// gives.
#ifndef ASSAY_SUITES_HARNESS_IN_TURNS_H_
#define ASSAY_SUITES_HARNESS_IN_TURNS_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "suites/harness/services.h"

namespace assay::suites {

struct MeasuredInTurns {
  Measurement ours;
  Measurement reference;
};

// `timing.repeat` samples of each, in an order drawn anew for each pair from
// `seed`. Before each sample `settle` is called and one run is not timed; the
// warm-up and cool-down of `timing` come before the first. `settle` waits for
// what the other runtime left running and may be null.
absl::StatusOr<MeasuredInTurns> MeasureInTurns(
    Session* ours, Session* reference, const devices::TimingPolicy& timing,
    uint64_t seed, const std::function<void()>& settle);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_IN_TURNS_H_
