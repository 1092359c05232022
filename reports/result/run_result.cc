#include "reports/result/run_result.h"

namespace assay::reports {

std::vector<double> InMilliseconds(const std::vector<double>& samples_ns) {
  std::vector<double> samples_ms;
  samples_ms.reserve(samples_ns.size());
  for (const double ns : samples_ns) samples_ms.push_back(ns / 1e6);
  return samples_ms;
}

std::optional<stats::Summary> LatencySummary(const Row& row) {
  if (row.timing.samples_ns.empty()) return std::nullopt;
  return stats::Summarize(InMilliseconds(row.timing.samples_ns));
}

std::optional<stats::QuantileInterval> LatencyQuantile(const Row& row,
                                                       double p) {
  if (row.timing.samples_ns.empty()) return std::nullopt;
  return stats::IntervalOfQuantile(InMilliseconds(row.timing.samples_ns), p);
}

std::optional<double> GflopPerSecond(const Row& row) {
  if (row.timing.samples_ns.empty() || row.build.flops <= 0 || row.emulated) {
    return std::nullopt;
  }
  return static_cast<double>(row.build.flops) /
         (LatencySummary(row)->mean * 1e6);
}

}  // namespace assay::reports
