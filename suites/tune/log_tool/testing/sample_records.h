// Records that tests of tools can change. They fit the templates of this
// version of the compiler.
#ifndef ASSAY_SUITES_TUNE_LOG_TOOL_TESTING_SAMPLE_RECORDS_H_
#define ASSAY_SUITES_TUNE_LOG_TOOL_TESTING_SAMPLE_RECORDS_H_

#include <vector>

#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

// The device of the records.
inline constexpr char kSampleDevice[] = "x86_64-epyc-2c-1a2b3c4d";

// Returns a trial of the default point of a matrix product for x86-64-v4.
TuningRecord DefaultTrial(const std::vector<double>& samples_ns);

// Returns a trial of the point whose panels of rows have this height (`mr`).
TuningRecord Trial(int64_t mr, const std::vector<double>& samples_ns);

// Returns the comparison of this point with the default point.
TuningRecord Comparison(int64_t mr, stats::Verdict verdict, double low,
                        double high);

// Returns a trial of an elementwise kernel, which has one point.
TuningRecord ElementwiseTrial(const std::vector<double>& samples_ns);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_TOOL_TESTING_SAMPLE_RECORDS_H_
