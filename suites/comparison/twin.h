// MakeTwin: an artifact that differs from another one without being slower.
// AddCalls: one that is slower by real work. Both are for trials with a known
// answer.
//
// A comparison of a program with a twin has a known answer and exercises what a
// comparison of two builds exercises: nothing is shared between them except the
// memory of inputs, outputs and intermediate values. To vary the layout of the
// code as well, make the twin of an artifact that was compiled with another
// CompileOptions::layout_seed.
#ifndef ASSAY_SUITES_COMPARISON_TWIN_H_
#define ASSAY_SUITES_COMPARISON_TWIN_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {

// Returns a copy of the artifact
//   - without code digests, so that kernels, and the results of setup calls,
//     are not known to be equal,
//   - with the constants at other positions, in the same order, with gaps of up
//     to 4 KiB between them, and
//   - with the lowest bit of one element of each float32 constant changed.
// The gaps and elements are drawn from `seed`. Results of the twin differ by
// rounding errors. The setup calls of the twin compute their results from the
// changed constants; a changed bit can be lost there by rounding.
runtime::Artifact MakeTwin(const runtime::Artifact& artifact, uint64_t seed);

// Returns a copy of the artifact in which some kernel calls are made twice, one
// right after the other. `call_ns` has the time of each call
// (suites/sampling/profile.h); the calls are drawn from `seed` such that their
// times add up to the share `share` of the total, within a fifth of `share`. A
// second call computes the same result, but is somewhat faster than the first,
// as its data is in the caches. Calls whose outputs overlap their inputs are
// never repeated, and neither are setup calls, which take no time in a run.
// Returns NotFound if there is no such selection.
absl::StatusOr<runtime::Artifact> AddCalls(const runtime::Artifact& artifact,
                                           absl::Span<const double> call_ns,
                                           double share, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_TWIN_H_
