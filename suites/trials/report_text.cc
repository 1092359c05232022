#include "suites/trials/report_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/stats/binomial.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

std::string RateText(int64_t count, int64_t of) {
  const stats::Proportion bounds =
      stats::ClopperPearson(count, of, kBoundLevel);
  return absl::StrFormat(
      "%.1f [%.1f, %.1f]",
      100 * static_cast<double>(count) / static_cast<double>(of),
      100 * bounds.lower, 100 * bounds.upper);
}

absl::Status CheckMethod(absl::string_view folder, absl::string_view what,
                         absl::string_view found, absl::string_view method) {
  if (found == method) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("`", folder, "` has ", what, " of the method ", found,
                   ", not ", method, "; choose another folder"));
}

absl::StatusOr<std::string> WriteReportFile(const std::string& folder,
                                            const runtime::DeviceFacts& machine,
                                            absl::string_view tables) {
  std::string report = absl::StrCat("machine: ", machine.fingerprint, "\n");
  for (const auto& [key, value] : machine.identity) {
    absl::StrAppend(&report, "  ", key, ": ", value, "\n");
  }
  absl::StrAppend(&report, "\n", tables);
  if (!folder.empty()) {
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(JoinPath(folder, "report.txt"), report));
  }
  return report;
}

}  // namespace assay::suites
