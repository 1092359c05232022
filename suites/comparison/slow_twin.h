// AddCalls: makes a program slower by real work, for trials with a known
// answer.
#ifndef ASSAY_SUITES_COMPARISON_SLOW_TWIN_H_
#define ASSAY_SUITES_COMPARISON_SLOW_TWIN_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {

// Returns a copy of the artifact in which some kernel calls are made twice, one
// right after the other. `call_ns` has the time of each call
// (suites/sampling/profile.h); the calls are drawn from `seed` such that their
// times add up to the share `share` of the total, within a fifth of `share`. A
// second call computes the same result, but is somewhat faster than the first,
// as its data is in the caches. Calls whose outputs overlap their inputs are
// never repeated. Returns NotFound if there is no such selection.
absl::StatusOr<runtime::Artifact> AddCalls(const runtime::Artifact& artifact,
                                           absl::Span<const double> call_ns,
                                           double share, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_SLOW_TWIN_H_
