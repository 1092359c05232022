// CalibrationRecord: the results of a calibration in a folder.
//
//   trials.csv   a line per trial (trial.h), appended when the trial ends
//   batches.csv  a line per batch (batch.h), appended when the batch ends
//   report.txt   the machine, and CalibrationReport()
//
// A calibration that was stopped continues in the same folder.
#ifndef ASSAY_SUITES_TRIALS_RECORD_H_
#define ASSAY_SUITES_TRIALS_RECORD_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/measure/device_facts.h"
#include "suites/trials/batch.h"
#include "suites/trials/line_file.h"
#include "suites/trials/trial.h"

namespace assay::suites {

class CalibrationRecord {
 public:
  // Reads the files in `folder`, which is created if it does not exist. If
  // `folder` is empty, nothing is stored. An incomplete last line of a file is
  // ignored. Returns FailedPrecondition if the folder has batches of another
  // method than `method`, because their trials must not be mixed.
  static absl::StatusOr<CalibrationRecord> Open(const std::string& folder,
                                                const std::string& method);

  // Returns true if the trial was already measured (SameParameters()).
  bool Has(const Trial& planned) const;

  absl::Status Append(const Trial& trial);
  absl::Status Append(const Batch& batch);

  // Writes report.txt and returns its contents.
  absl::StatusOr<std::string> WriteReport(
      const runtime::DeviceFacts& machine) const;

 private:
  explicit CalibrationRecord(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
  std::vector<Trial> trials_;
  std::vector<Batch> batches_;
  LineFile trial_file_, batch_file_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_RECORD_H_
