#include "reports/result/row_fields.h"

#include <cmath>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "reports/stats/ratio.h"

namespace assay::reports {
namespace {

// The shortest text that parses as the same double.
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

std::string RatioNumber(const std::optional<stats::Ratio>& ratio,
                        double stats::Ratio::* member) {
  return ratio.has_value() ? Number((*ratio).*member) : "";
}

std::string PairedNumber(const Row& row, double PairedComparison::* member) {
  return row.comparison.paired.has_value()
             ? Number((*row.comparison.paired).*member)
             : "";
}

}  // namespace

RowFields FieldsOf(const Row& row) {
  const std::optional<stats::Summary> timing = LatencySummary(row);
  const auto statistic = [&](double stats::Summary::* member) {
    return timing.has_value() ? Number((*timing).*member) : "";
  };
  const auto quantile = [](const std::optional<stats::QuantileInterval>& q) {
    return [&q](double stats::QuantileInterval::* member) {
      return q.has_value() && std::isfinite((*q).*member) ? Number((*q).*member)
                                                          : "";
    };
  };
  const auto q90 = LatencyQuantile(row, 0.9), q99 = LatencyQuantile(row, 0.99);
  const auto p90 = quantile(q90), p99 = quantile(q99);
  const std::optional<stats::Ratio>& unfused =
      row.comparison.speedup_vs_unfused;
  const std::optional<stats::Ratio>& untuned =
      row.comparison.speedup_vs_untuned;
  const std::optional<stats::Ratio>& reference =
      row.comparison.speedup_vs_reference;
  RowFields fields = {
      {"suite", row.suite},
      {"model", row.cell.model},
      {"device", row.cell.device},
  };
  for (const Dimension& dimension : kDimensions) {
    if (!IsReported(dimension)) continue;
    fields.emplace_back(dimension.name, dimension.NameOf(row.cell.variant));
  }
  const RowFields others = {
      {"threads", absl::StrCat(row.cell.threads)},
      {"emulated", row.emulated ? "yes" : "no"},
      {"fingerprint", row.fingerprint},
      {"board", row.board},
      {"samples", absl::StrCat(row.timing.samples_ns.size())},
      {"mean_ms", statistic(&stats::Summary::mean)},
      {"std_ms", statistic(&stats::Summary::std)},
      {"median_ms", statistic(&stats::Summary::median)},
      {"p90_ms", p90(&stats::QuantileInterval::value)},
      {"p90_ms_lower", p90(&stats::QuantileInterval::lower)},
      {"p90_ms_upper", p90(&stats::QuantileInterval::upper)},
      {"p99_ms", p99(&stats::QuantileInterval::value)},
      {"p99_ms_lower", p99(&stats::QuantileInterval::lower)},
      {"p99_ms_upper", p99(&stats::QuantileInterval::upper)},
      {"disturbances", absl::StrJoin(row.timing.disturbances, "; ")},
      {"flops", absl::StrCat(row.build.flops)},
      {"gflops", Number(GflopPerSecond(row))},
      {"kernels", absl::StrCat(row.build.kernels)},
      {"compile_ms", Number(row.build.compile_ms)},
      {"artifact_bytes", absl::StrCat(row.build.artifact_bytes)},
      {"params_bytes", absl::StrCat(row.build.params_bytes)},
      {"load_ms", Number(row.timing.load_ms)},
      {"peak_rss_bytes", row.timing.peak_rss_bytes.has_value()
                             ? absl::StrCat(*row.timing.peak_rss_bytes)
                             : ""},
      {"arena_bytes", absl::StrCat(row.build.arena_bytes)},
      {"live_bytes", absl::StrCat(row.build.live_bytes)},
      {"max_abs_error", Number(row.correctness.max_abs_error)},
      {"max_abs_error_bound", Number(row.correctness.max_abs_error_bound)},
      {"baseline_ms", Number(row.comparison.baseline_ms)},
      {"delta", Number(row.comparison.delta)},
      {"threshold", Number(row.comparison.threshold)},
      {"paired_samples",
       row.comparison.paired.has_value()
           ? absl::StrCat(row.comparison.paired->base_ns.size())
           : ""},
      {"paired_change", PairedNumber(row, &PairedComparison::change)},
      {"paired_lower", PairedNumber(row, &PairedComparison::lower)},
      {"paired_upper", PairedNumber(row, &PairedComparison::upper)},
      {"paired_detectable", PairedNumber(row, &PairedComparison::detectable)},
      {"paired_tail_slower",
       row.comparison.paired.has_value()
           ? (row.comparison.paired->tail_slower ? "yes" : "no")
           : ""},
      {"paired_tail_log_e", row.comparison.paired.has_value() &&
                                    row.comparison.paired->tail.has_value()
                                ? Number(row.comparison.paired->tail->log_e)
                                : ""},
      {"paired_artifact_digest", row.comparison.paired.has_value()
                                     ? row.comparison.paired->artifact_digest
                                     : ""},
      {"speedup_vs_unfused", RatioNumber(unfused, &stats::Ratio::value)},
      {"speedup_vs_unfused_lower", RatioNumber(unfused, &stats::Ratio::lower)},
      {"speedup_vs_unfused_upper", RatioNumber(unfused, &stats::Ratio::upper)},
      {"speedup_vs_untuned", RatioNumber(untuned, &stats::Ratio::value)},
      {"speedup_vs_untuned_lower", RatioNumber(untuned, &stats::Ratio::lower)},
      {"speedup_vs_untuned_upper", RatioNumber(untuned, &stats::Ratio::upper)},
      {"speedup_vs_reference", RatioNumber(reference, &stats::Ratio::value)},
      {"speedup_vs_reference_lower",
       RatioNumber(reference, &stats::Ratio::lower)},
      {"speedup_vs_reference_upper",
       RatioNumber(reference, &stats::Ratio::upper)},
      {"verdict", std::string(stats::VerdictName(row.verdict))},
      {"reason", row.reason},
      {"model_digest", row.build.model_digest},
      {"artifact_digest", row.build.artifact_digest},
      {"tuning_digest", row.build.tuning_digest},
      {"reproduce", row.reproduce},
  };
  fields.insert(fields.end(), others.begin(), others.end());
  return fields;
}

}  // namespace assay::reports
