// CalibrationRecord: the results of a calibration in a folder.
//
//   trials.csv   a line per trial (trial.h), appended when the trial ends
//   batches.csv  a line per batch, appended when the batch ends
//   report.txt   the machine, and CalibrationReport()
//
// A calibration that was stopped continues in the same folder.
#ifndef ASSAY_SUITES_TRIALS_RECORD_H_
#define ASSAY_SUITES_TRIALS_RECORD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/measure/device_facts.h"
#include "suites/trials/record_file.h"
#include "suites/trials/trial.h"

namespace assay::suites {

struct CalibrationRecord {
  std::string folder;
  RecordFile<Trial> trials;
  RecordFile<Batch> batches;

  // Reads the files in `folder`, which is created if it does not exist. If
  // `folder` is empty, nothing is stored. Returns FailedPrecondition if the
  // folder has batches of another method than `method`, because their trials
  // must not be mixed.
  static absl::StatusOr<CalibrationRecord> Open(const std::string& folder,
                                                const std::string& method);

  // Returns the contents of report.txt, and writes this file unless `folder` is
  // empty.
  absl::StatusOr<std::string> WriteReport(
      const runtime::DeviceFacts& machine) const;
};

// Returns the tables of a calibration as text:
//   - the batches;
//   - for each regime, number of processes and share, the rates of the verdicts
//     with 95 % bounds (Clopper and Pearson), and the median and the 95th
//     percentile of the seconds until the verdict;
//   - the same for each subject and number of threads as well, but with the
//     number of each verdict instead of its rate, with the median of the
//     measured changes and, for A/A trials, the number of confidence intervals
//     that contain 0;
//   - for each regime and number of processes, the number of false alarms at
//     the alarm level of a suite, and the rate of nights with a false alarm
//     that would follow from it.
std::string CalibrationReport(const std::vector<Batch>& batches,
                              const std::vector<Trial>& trials);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_RECORD_H_
