// MeasureInTurns: a model compiled in several ways, or in another runtime, one
// sample of each in turn, for the reasons that suites/kernels/interleave.h
// gives.
#ifndef ASSAY_SUITES_HARNESS_IN_TURNS_H_
#define ASSAY_SUITES_HARNESS_IN_TURNS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "devices/device.pb.h"
#include "suites/harness/services.h"

namespace assay::suites {

// Milliseconds of `timing.repeat` samples of each, in the order of `sessions`,
// taken in an order drawn anew for each round from `seed`; all begin a round
// together. Outputs are the sessions' business (checked_session.h). Before
// each sample `settle` is called and one run is not timed; the warm-up and
// cool-down of `timing` come before the first. `settle` waits for what another
// runtime left running and may be null.
absl::StatusOr<std::vector<std::vector<double>>> MeasureInTurns(
    absl::Span<Session* const> sessions, const devices::TimingPolicy& timing,
    uint64_t seed, const std::function<void()>& settle);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_IN_TURNS_H_
