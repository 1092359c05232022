#include "suites/trials/record.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/trials/report.h"

namespace assay::suites {
namespace {

// Reads a file whose lines `parse` understands, and opens it for appending.
template <typename Item>
absl::Status OpenLines(
    const std::string& path, const std::string& header,
    absl::StatusOr<std::vector<Item>> (*parse)(absl::string_view),
    std::vector<Item>* items, std::ofstream* file) {
  absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok() && !absl::IsNotFound(text.status())) return text.status();
  std::string kept = text.ok() ? *std::move(text) : header;
  kept.resize(kept.rfind('\n') + 1);
  if (kept.empty()) kept = header;
  absl::StatusOr<std::vector<Item>> parsed = parse(kept);
  if (!parsed.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, "`: ", parsed.status().message()));
  }
  *items = *std::move(parsed);
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(path, kept));
  file->open(path, std::ios::app);
  return absl::OkStatus();
}

absl::Status AppendLine(const std::string& line, std::ofstream* file) {
  if (!file->is_open() || *file << line << std::flush) return absl::OkStatus();
  return absl::UnavailableError("cannot write to the folder of --out");
}

}  // namespace

absl::StatusOr<CalibrationRecord> CalibrationRecord::Open(
    const std::string& folder, const std::string& method) {
  CalibrationRecord record(folder);
  if (folder.empty()) return record;
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  ASSAY_RETURN_IF_ERROR(OpenLines(JoinPath(folder, "trials.csv"), TrialHeader(),
                                  ParseTrials, &record.trials_,
                                  &record.trial_file_));
  ASSAY_RETURN_IF_ERROR(OpenLines(JoinPath(folder, "batches.csv"),
                                  BatchHeader(), ParseBatches, &record.batches_,
                                  &record.batch_file_));
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
  return AppendLine(TrialLine(trial), &trial_file_);
}

absl::Status CalibrationRecord::Append(const Batch& batch) {
  batches_.push_back(batch);
  return AppendLine(BatchLine(batch), &batch_file_);
}

absl::StatusOr<std::string> CalibrationRecord::WriteReport(
    const runtime::DeviceFacts& machine) const {
  std::string report = absl::StrCat("machine: ", machine.fingerprint, "\n");
  for (const auto& [key, value] : machine.identity) {
    absl::StrAppend(&report, "  ", key, ": ", value, "\n");
  }
  absl::StrAppend(&report, "\n", CalibrationReport(batches_, trials_));
  if (!folder_.empty()) {
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(JoinPath(folder_, "report.txt"), report));
  }
  return report;
}

}  // namespace assay::suites
