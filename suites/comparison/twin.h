// MakeTwin: an artifact that differs from another one without being slower.
//
// A comparison of a program with a twin has a known answer and exercises what a
// comparison of two builds exercises: nothing is shared between them except the
// memory of inputs, outputs and intermediate values. To vary the layout of the
// code as well, make the twin of an artifact that was compiled with another
// CompileOptions::layout_seed.
#ifndef ASSAY_SUITES_COMPARISON_TWIN_H_
#define ASSAY_SUITES_COMPARISON_TWIN_H_

#include <cstdint>

#include "runtime/artifact/artifact.h"

namespace assay::suites {

// Returns a copy of the artifact
//   - without code digests, so that kernels are not known to be equal,
//   - with the constants at other positions, in the same order, with gaps of up
//     to 4 KiB between them, and
//   - with one bit changed in each float32 constant, the lowest of one element.
// The gaps and elements are drawn from `seed`. Results of the twin differ by
// rounding errors.
runtime::Artifact MakeTwin(const runtime::Artifact& artifact, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_TWIN_H_
