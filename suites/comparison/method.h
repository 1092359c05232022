// The method of verdicts: everything on which their error rates depend, i.e.
// the parameters of the statistics (reports/stats/paired_judge.h) and of the
// measurement (paired_loads.h). A calibration (suites/trials) measures the
// error rates of one method and is valid only for verdicts with the same
// digest.
#ifndef ASSAY_SUITES_COMPARISON_METHOD_H_
#define ASSAY_SUITES_COMPARISON_METHOD_H_

#include <string>

#include "reports/stats/paired_verdict.h"

namespace assay::suites {

// Describes the method, one parameter per line. The seed and the budget are not
// part of it.
std::string DescribeMethod(const stats::PairedOptions& options);
// Returns the first 12 hexadecimal digits of the SHA-256 of DescribeMethod().
std::string MethodDigest(const stats::PairedOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_METHOD_H_
