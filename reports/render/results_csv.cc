#include "reports/render/results_csv.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "reports/render/csv_field.h"

namespace assay::reports {
namespace {

// The fewest digits that read back as the same double.
std::string Number(const std::optional<double>& value) {
  if (!value.has_value()) return "";
  std::string text;
  for (const int digits : {15, 16, 17}) {
    text = absl::StrFormat("%.*g", digits, *value);
    double back = 0;
    if (absl::SimpleAtod(text, &back) && back == *value) break;
  }
  return text;
}

using Columns = std::vector<std::pair<absl::string_view, std::string>>;

Columns ToColumns(const Row& row) {
  const std::optional<stats::Summary> timing = Timing(row);
  const auto statistic = [&](double stats::Summary::* member) {
    return timing.has_value() ? Number((*timing).*member) : "";
  };
  return {
      {"suite", row.suite},
      {"model", row.model},
      {"device", row.device},
      {"fusion", row.fusion ? "on" : "off"},
      {"tuning", row.tuning},
      {"threads", absl::StrCat(row.threads)},
      {"emulated", row.emulated ? "yes" : "no"},
      {"fingerprint", row.fingerprint},
      {"samples", absl::StrCat(row.samples_ms.size())},
      {"mean_ms", statistic(&stats::Summary::mean)},
      {"std_ms", statistic(&stats::Summary::std)},
      {"median_ms", statistic(&stats::Summary::median)},
      {"p99_ms", statistic(&stats::Summary::p99)},
      {"flops", absl::StrCat(row.flops)},
      {"gflops", Number(GflopPerSecond(row))},
      {"kernels", absl::StrCat(row.kernels)},
      {"compile_ms", Number(row.compile_ms)},
      {"arena_bytes", absl::StrCat(row.arena_bytes)},
      {"live_bytes", absl::StrCat(row.live_bytes)},
      {"max_abs_error", Number(row.max_abs_error)},
      {"max_abs_error_bound", Number(row.max_abs_error_bound)},
      {"baseline_ms", Number(row.baseline_ms)},
      {"delta", Number(row.delta)},
      {"threshold", Number(row.threshold)},
      {"speedup_vs_unfused", Number(row.speedup_vs_unfused)},
      {"speedup_vs_reference", Number(row.speedup_vs_reference)},
      {"verdict", std::string(stats::VerdictName(row.verdict))},
      {"reason", row.reason},
      {"model_digest", row.model_digest},
      {"artifact_digest", row.artifact_digest},
      {"reproduce", row.reproduce},
  };
}

}  // namespace

std::string ResultsCsv(const RunResult& result) {
  // The header of a report without rows, too, comes from the one list.
  std::string csv =
      absl::StrCat(absl::StrJoin(ToColumns(Row()), ",",
                                 [](std::string* out, const auto& column) {
                                   absl::StrAppend(out, column.first);
                                 }),
                   "\n");
  for (const Row& row : result.rows) {
    absl::StrAppend(&csv,
                    absl::StrJoin(ToColumns(row), ",",
                                  [](std::string* out, const auto& column) {
                                    absl::StrAppend(out,
                                                    CsvField(column.second));
                                  }),
                    "\n");
  }
  return csv;
}

}  // namespace assay::reports
