// WithExtraWork: an arm that is slower by a known share, for it does that much
// more of the same: where the other runs `number` times, it runs
// number * (1 + share) times and passes for `number`. Real work through the
// same code and memory, which no clock rate and no neighbour can undo.
#ifndef ASSAY_SUITES_COMPARISON_EXTRA_WORK_H_
#define ASSAY_SUITES_COMPARISON_EXTRA_WORK_H_

#include "suites/comparison/paired_sampler.h"

namespace assay::suites {

// `share` is not negative. It is exact for numbers of which it makes a whole
// one: 0.005 for multiples of 200.
Arm WithExtraWork(Arm arm, double share);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_EXTRA_WORK_H_
