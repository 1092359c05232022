#include "suites/harness/cell.h"

#include "absl/strings/str_cat.h"

namespace assay::suites {

std::string LabelOf(const reports::CellKey& cell) {
  return absl::StrCat(cell.model, " on ", cell.device, ", ",
                      VariantText(cell.variant), ", ", cell.threads,
                      cell.threads == 1 ? " thread: " : " threads: ");
}

bool HasTimes(stats::Verdict verdict) {
  return verdict != stats::Verdict::kInfrastructure &&
         verdict != stats::Verdict::kWrongOutput;
}

Judgement Failure(const absl::Status& status) {
  return {stats::Verdict::kInfrastructure, std::string(status.message()),
          absl::IsAborted(status)};
}

Judgement WrongOutput(const std::string& problem) {
  return {stats::Verdict::kWrongOutput, problem};
}

}  // namespace assay::suites
