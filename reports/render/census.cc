#include "reports/render/census.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::reports {
namespace {

constexpr stats::Verdict kBySeverity[] = {
    stats::Verdict::kWrongOutput,
    stats::Verdict::kInfrastructure,
    stats::Verdict::kRegressed,
    stats::Verdict::kInconclusive,
    stats::Verdict::kEnvironmentChanged,
    stats::Verdict::kNoBaseline,
    stats::Verdict::kImproved,
    stats::Verdict::kEquivalent,
    stats::Verdict::kPass,
    stats::Verdict::kEmulated,
};

}  // namespace

int64_t CountJudged(const RunResult& result) {
  return std::count_if(
      result.rows.begin(), result.rows.end(),
      [](const Row& row) { return stats::IsJudgement(row.verdict); });
}

std::string Census(const RunResult& result) {
  std::vector<std::string> judged, others;
  for (const stats::Verdict verdict : kBySeverity) {
    const auto count =
        std::count_if(result.rows.begin(), result.rows.end(),
                      [&](const Row& row) { return row.verdict == verdict; });
    if (count == 0) continue;
    (stats::IsJudgement(verdict) ? judged : others)
        .push_back(absl::StrCat(count, " ", stats::VerdictName(verdict)));
  }
  std::string text = absl::StrCat(CountJudged(result), " of ",
                                  result.rows.size(), " cells judged");
  if (!judged.empty()) {
    absl::StrAppend(&text, ": ", absl::StrJoin(judged, ", "));
  }
  if (!others.empty()) {
    absl::StrAppend(&text, "; not judged: ", absl::StrJoin(others, ", "));
  }
  return text;
}

}  // namespace assay::reports
