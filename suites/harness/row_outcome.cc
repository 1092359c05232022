#include "suites/harness/row_outcome.h"

#include "absl/strings/str_cat.h"

namespace assay::suites {

std::string Label(const reports::Row& row) {
  return absl::StrCat(row.model, " on ", row.device, ", fusion ",
                      row.fusion ? "on" : "off", ", ", row.threads,
                      row.threads == 1 ? " thread: " : " threads: ");
}

void Fail(const absl::Status& status, reports::Row* row) {
  row->samples_ms.clear();
  row->verdict = stats::Verdict::kInfrastructure;
  row->reason = std::string(status.message());
}

void CallWrong(const std::string& reason, reports::Row* row) {
  row->samples_ms.clear();
  row->paired.reset();
  row->verdict = stats::Verdict::kWrongOutput;
  row->reason = reason;
}

}  // namespace assay::suites
