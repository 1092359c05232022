// Comparison: how a row compares with others: with its baseline, with another
// artifact of the same cell, and with the reference runtime.
#ifndef ASSAY_REPORTS_RESULT_COMPARISON_H_
#define ASSAY_REPORTS_RESULT_COMPARISON_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "reports/result/equal_fields.h"

namespace assay::reports {

// A part of the source model in two artifacts that were timed kernel by kernel,
// in alternation: the kernels of each artifact that compute it, and by how much
// those of the run are slower. Times are medians over inferences.
struct KernelChange {
  std::vector<std::string> sources;  // nodes of the source model
  std::vector<std::string> base_kernels;
  std::vector<std::string> run_kernels;
  double base_ms = 0;
  double run_ms = 0;
  // Difference with its 99 % interval; the ends are infinite if it is not
  // bounded.
  double change_ms = 0;
  double lower_ms = 0;
  double upper_ms = 0;
  // True if the kernels are known to be the same machine code.
  bool same_code = false;

  auto Fields() const {
    return std::tie(sources, base_kernels, run_kernels, base_ms, run_ms,
                    change_ms, lower_ms, upper_ms, same_code);
  }
};

// Attribution of the difference between two artifacts to their kernels.
struct Attribution {
  // Number of inferences of each artifact that were timed by kernel, and also
  // of those that were timed as a whole.
  int64_t rounds = 0;
  // In decreasing order of the absolute change.
  std::vector<KernelChange> kernels;
  // Difference between whole inferences, with its interval.
  double whole_ms = 0;
  double whole_lower_ms = 0;
  double whole_upper_ms = 0;

  auto Fields() const {
    return std::tie(rounds, kernels, whole_ms, whole_lower_ms, whole_upper_ms);
  }
};

// Comparison with another artifact of the same cell, measured in alternation:
// the result as in stats/paired_verdict.h, and all samples.
struct PairedComparison {
  std::string artifact_digest;  // of the other artifact
  // Latencies by round, equally many of both.
  std::vector<double> base_ns;
  std::vector<double> run_ns;
  // Relative change with its interval: 0.02 is 2 % slower than the other. The
  // ends are infinite if the interval is not bounded.
  double change = 0;
  double lower = 0;
  double upper = 0;
  double detectable = 0;
  // Present for a row that changed, if attribution was requested and possible.
  std::optional<Attribution> attribution = std::nullopt;

  auto Fields() const {
    return std::tie(artifact_digest, base_ns, run_ns, change, lower, upper,
                    detectable, attribution);
  }
};

struct Comparison {
  // Median of the baseline, and the comparison with it (stats/compare.h).
  std::optional<double> baseline_ms;
  std::optional<double> delta;
  std::optional<double> threshold;
  // Comparison with another artifact; if present, it determines the verdict.
  std::optional<PairedComparison> paired;
  // Speed-up over the same model without fusion and over the reference runtime,
  // both measured in alternation with this row.
  std::optional<double> speedup_vs_unfused;
  std::optional<double> speedup_vs_reference;

  auto Fields() const {
    return std::tie(baseline_ms, delta, threshold, paired, speedup_vs_unfused,
                    speedup_vs_reference);
  }
};

// Sum over all kernels in milliseconds.
double SumOfChanges(const Attribution& attribution);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_COMPARISON_H_
