#include "suites/harness/row_outcome.h"

#include "absl/strings/str_cat.h"

namespace assay::suites {

std::string Label(const reports::Row& row) {
  return absl::StrCat(row.cell.model, " on ", row.cell.device, ", ",
                      VariantText(row.cell.variant), ", ", row.cell.threads,
                      row.cell.threads == 1 ? " thread: " : " threads: ");
}

namespace {

// A row that failed keeps no times that were measured on the device.
void DiscardTimes(reports::Timing* timing) {
  timing->samples_ns.clear();
  timing->blocks.clear();
  timing->load_ms.reset();
}

}  // namespace

void Fail(const absl::Status& status, reports::Row* row) {
  DiscardTimes(&row->timing);
  row->verdict = stats::Verdict::kInfrastructure;
  row->reason = std::string(status.message());
}

void MarkWrongOutput(const std::string& reason, reports::Row* row) {
  DiscardTimes(&row->timing);
  row->comparison.paired.reset();
  row->verdict = stats::Verdict::kWrongOutput;
  row->reason = reason;
}

}  // namespace assay::suites
