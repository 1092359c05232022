#include "suites/trials/record.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/trials/report.h"
#include "suites/trials/report_text.h"

namespace assay::suites {

absl::StatusOr<CalibrationRecord> CalibrationRecord::Open(
    const std::string& folder, const std::string& method) {
  CalibrationRecord record(folder);
  if (folder.empty()) return record;
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  ASSAY_ASSIGN_OR_RETURN(
      record.trial_file_,
      LineFile::Open(JoinPath(folder, "trials.csv"), TrialHeader()));
  ASSAY_ASSIGN_OR_RETURN(
      record.batch_file_,
      LineFile::Open(JoinPath(folder, "batches.csv"), BatchHeader()));
  ASSAY_ASSIGN_OR_RETURN(record.trials_, record.trial_file_.Items(ParseTrials));
  ASSAY_ASSIGN_OR_RETURN(record.batches_,
                         record.batch_file_.Items(ParseBatches));
  for (const Batch& batch : record.batches_) {
    if (batch.method == method) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("`", folder, "` has trials of the method ", batch.method,
                     ", not ", method, "; choose another folder"));
  }
  return record;
}

bool CalibrationRecord::Has(const Trial& planned) const {
  return std::any_of(trials_.begin(), trials_.end(), [&](const Trial& trial) {
    return SameParameters(trial, planned);
  });
}

absl::Status CalibrationRecord::Append(const Trial& trial) {
  trials_.push_back(trial);
  return trial_file_.Append(TrialLine(trial));
}

absl::Status CalibrationRecord::Append(const Batch& batch) {
  batches_.push_back(batch);
  return batch_file_.Append(BatchLine(batch));
}

absl::StatusOr<std::string> CalibrationRecord::WriteReport(
    const runtime::DeviceFacts& machine) const {
  const std::string report = absl::StrCat(MachineText(machine), "\n",
                                          CalibrationReport(batches_, trials_));
  if (!folder_.empty()) {
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(JoinPath(folder_, "report.txt"), report));
  }
  return report;
}

}  // namespace assay::suites
