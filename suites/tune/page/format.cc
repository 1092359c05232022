#include "suites/tune/page/format.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "reports/page/status.h"
#include "reports/render/markup.h"
#include "reports/stats/verdict.h"

namespace assay::suites {

int64_t CountErrors(const ErrorCounts& errors) {
  int64_t sum = 0;
  for (const auto& [status, count] : errors) sum += count;
  return sum;
}

std::string DescribeErrors(const ErrorCounts& errors) {
  std::vector<std::string> counts;
  for (const auto& [status, count] : errors) {
    counts.push_back(
        absl::StrCat(reports::Words(TrialStatusName(status)), ": ", count));
  }
  return counts.empty() ? "none" : absl::StrJoin(counts, ", ");
}

std::string FormatRate(const PageTask& task, double nanos) {
  const double rate = task.Rate(nanos);
  return rate < 100 ? absl::StrFormat("%.3g", rate)
                    : absl::StrFormat("%.0f", rate);
}

std::string FormatPercent(double part) {
  return absl::StrFormat("%.1f\u00a0%%", 100 * part);
}

std::string EscapeCut(absl::string_view text) {
  if (text.size() <= kLongestText) return reports::EscapeMarkup(text);
  return reports::EscapeMarkup(text.substr(0, kLongestText)) + "…";
}

std::string VerdictHtml(const TuningVerdict& verdict) {
  return reports::BadgeHtml(
      reports::StatusOf(stats::VerdictName(verdict.verdict)));
}

}  // namespace assay::suites
