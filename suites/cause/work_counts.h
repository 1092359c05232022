// AddWorkCounts: says, for each kernel of an attribution, whether it does more
// work than before (suites/comparison/work_change.h).
#ifndef ASSAY_SUITES_CAUSE_WORK_COUNTS_H_
#define ASSAY_SUITES_CAUSE_WORK_COUNTS_H_

#include "reports/result/comparison.h"
#include "suites/comparison/work_change.h"

namespace assay::suites {

// Sets KernelChange::work of the kernels of `attribution`, which is that of
// these two artifacts.
void AddWorkCounts(const CountedCalls& base, const CountedCalls& run,
                   reports::Attribution* attribution);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CAUSE_WORK_COUNTS_H_
