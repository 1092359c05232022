// CalibrationReport: the tables of a calibration.
#ifndef ASSAY_SUITES_TRIALS_REPORT_H_
#define ASSAY_SUITES_TRIALS_REPORT_H_

#include <string>
#include <vector>

#include "suites/trials/batch.h"
#include "suites/trials/trial.h"

namespace assay::suites {

// Returns a report as text:
//   - the batches;
//   - for each regime, number of processes and share, the rates of the verdicts
//     with 95 % bounds (Clopper and Pearson), and the median and the 95th
//     percentile of the seconds until the verdict;
//   - the same for each subject and number of threads, with the median of the
//     measured changes and the rate of the intervals that contain 0, for A/A
//     trials;
//   - for each regime, the number of false alarms at the alarm level of a
//     suite, and the rate of nights with a false alarm that follows.
std::string CalibrationReport(const std::vector<Batch>& batches,
                              const std::vector<Trial>& trials);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_REPORT_H_
