// CauseOf: says why a kernel changed, in one clause.
#ifndef ASSAY_SUITES_CAUSE_CAUSE_H_
#define ASSAY_SUITES_CAUSE_CAUSE_H_

#include <string>

#include "reports/result/comparison.h"

namespace assay::suites {

// Returns a value of KernelChange::cause, from the dump folders of both
// compilations of the cell. Returns an empty string if the code of the kernels
// is the same, or if the dumps are incomplete.
std::string CauseOf(const std::string& base_dump, const std::string& run_dump,
                    const reports::KernelChange& change);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CAUSE_CAUSE_H_
