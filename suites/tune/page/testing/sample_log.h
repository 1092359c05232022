// A synthetic log of the tuner, for tests of the page.
#ifndef ASSAY_SUITES_TUNE_PAGE_TESTING_SAMPLE_LOG_H_
#define ASSAY_SUITES_TUNE_PAGE_TESTING_SAMPLE_LOG_H_

#include <map>
#include <string>
#include <vector>

#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

// Returns the log of `tasks` tasks with `trials` trials each, most of which
// succeed, and a verdict on every second task. Tasks repeat after six: five
// convolutions, one of them depthwise, and a copy, which has no operations.
std::vector<TuningRecord> SampleLog(int tasks, int trials);

// The numbers of calls of the tasks of SampleLog().
std::map<std::string, int64_t> SampleCalls(int tasks);

// Returns a successful trial of a product of matrices with 1000 operations that
// takes `nanos`, with the integer `knob` as its configuration.
TuningRecord SampleTrial(double nanos, int knob = 0);

// Returns a failed trial.
TuningRecord SampleFailure(TrialStatus status, const std::string& error);

// Returns SampleTrial() with a verdict.
TuningRecord SampleVerdict(stats::Verdict verdict, double ratio, int knob = 0);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_PAGE_TESTING_SAMPLE_LOG_H_
