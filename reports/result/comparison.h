// Comparison: the results of comparing the latency of a row with
//   - its baseline (reports/baseline);
//   - another artifact of the same cell;
//   - the same model without fusion, and without tuning;
//   - the reference runtime.
#ifndef ASSAY_REPORTS_RESULT_COMPARISON_H_
#define ASSAY_REPORTS_RESULT_COMPARISON_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "reports/result/device_state.h"
#include "reports/result/equal_fields.h"
#include "reports/stats/ratio.h"
#include "reports/stats/tail_sequence.h"

namespace assay::reports {

// The work of the kernels of a part in two artifacts, counted under emulation
// (suites/comparison/work_change.h). Counts are exact, but they are not times.
struct WorkCounts {
  // `same_code`, `same_work`, `more_work`, `less_work` or `other_work`.
  std::string change;
  int64_t base_instructions = 0;
  int64_t run_instructions = 0;
  // Bytes that are read and written.
  int64_t base_bytes = 0;
  int64_t run_bytes = 0;

  auto Fields() const {
    return std::tie(change, base_instructions, run_instructions, base_bytes,
                    run_bytes);
  }
};

// The time of one part of the source model in two artifacts, the base and the
// run, in the fastest inference of each load (suites/comparison). Times are
// medians over the loads.
struct KernelChange {
  // Names of the nodes of the source model in this part.
  std::vector<std::string> sources;
  // Names of the kernels of the base that compute this part.
  std::vector<std::string> base_kernels;
  // Names of the kernels of the run that compute this part.
  std::vector<std::string> run_kernels;
  // Total time of `base_kernels`.
  double base_ms = 0;
  // Total time of `run_kernels`.
  double run_ms = 0;
  // Median over the loads of the difference (time of the run minus time of the
  // base), and the bounds of the 99 % confidence interval of this median. The
  // bounds are infinite if there are too few loads for an interval.
  double change_ms = 0;
  double lower_ms = 0;
  double upper_ms = 0;
  // True if the kernels of both artifacts are known to have the same machine
  // code.
  bool same_code = false;
  // The stage of the compiler at which the two compilations part ways
  // (suites/cause), with the first line that differs there, for example
  // `schedule: clip.split(i2, 28) -> clip.split(i2, 14)`. Empty if it is
  // unknown, or if the code is the same.
  std::string cause = {};
  // The work of the kernels of both artifacts, if it was counted.
  std::optional<WorkCounts> work = std::nullopt;

  auto Fields() const {
    return std::tie(sources, base_kernels, run_kernels, base_ms, run_ms,
                    change_ms, lower_ms, upper_ms, same_code, cause, work);
  }
};

// The difference between the latencies of two artifacts, attributed to their
// kernels.
struct Attribution {
  // Number of rounds of all loads. In each round, each artifact runs once.
  int64_t rounds = 0;
  // Changes in decreasing order of the absolute value.
  std::vector<KernelChange> kernels;
  // Median over the loads of the difference (time of the fastest inference of
  // the run minus that of the base), and the bounds of the 99 % confidence
  // interval of this median.
  double whole_ms = 0;
  double whole_lower_ms = 0;
  double whole_upper_ms = 0;

  auto Fields() const {
    return std::tie(rounds, kernels, whole_ms, whole_lower_ms, whole_upper_ms);
  }
};

// The comparison of a row with another artifact of the same cell, the base.
// Samples of the row and of the base were interleaved.
struct PairedComparison {
  std::string artifact_digest;  // digest of the base
  // Latency of the base and of the row in each load, in nanoseconds: the times
  // from which the verdict was reached. Both vectors have the same size.
  // Results of earlier versions have the latency in each round instead.
  std::vector<double> base_ns;
  std::vector<double> run_ns;
  // Relative change and the bounds of its confidence interval
  // (stats/paired_verdict.h): 0.02 means that the row is 2 % slower than the
  // base. If there are too few samples for an interval, `lower` is -1 and
  // `upper` is infinite.
  double change = 0;
  double lower = 0;
  double upper = 0;
  // Minimum detectable change (stats/paired_verdict.h).
  double detectable = 0;
  // Nodes of the source model. If there are any, only the kernels that compute
  // them were judged: the others count with the time of the base.
  std::vector<std::string> nodes = {};
  // Time in which both programs were loaded and measured until the verdict, and
  // attributed to kernels; missing in results of earlier versions.
  std::optional<double> seconds = std::nullopt;
  // The slow inferences of both artifacts, and the logarithm of the evidence
  // that those of the row are slower or more frequent (stats/tail_sequence.h).
  // Missing if the samples were not single inferences, and in results of
  // earlier versions. `tail_slower` is true if the evidence suffices.
  std::optional<stats::TailEvidence> tail = std::nullopt;
  bool tail_slower = false;
  // Present for a row that regressed, or is undecided, if attribution was
  // requested and possible.
  std::optional<Attribution> attribution = std::nullopt;
  // The states of the device around the blocks of samples of both artifacts.
  // See Timing::blocks.
  std::vector<BlockState> blocks = {};

  auto Fields() const {
    return std::tie(artifact_digest, base_ns, run_ns, change, lower, upper,
                    detectable, nodes, seconds, tail, tail_slower, attribution,
                    blocks);
  }
};

struct Comparison {
  // Median latency of the baseline.
  std::optional<double> baseline_ms;
  // Relative change of the median against the baseline, and the threshold that
  // the change must exceed to be reported (stats/compare.h).
  std::optional<double> delta;
  std::optional<double> threshold;
  // Comparison with another artifact. If present, it determines the verdict.
  std::optional<PairedComparison> paired;
  // Speed-up over the row that differs only in fusion, over the row that
  // differs only in tuning, and over the reference runtime. Values above 1 mean
  // that this row is faster. The samples of both sides of each ratio were
  // interleaved. Results of earlier versions are ratios of medians, without
  // bounds.
  std::optional<stats::Ratio> speedup_vs_unfused;
  std::optional<stats::Ratio> speedup_vs_untuned;
  std::optional<stats::Ratio> speedup_vs_reference;
  // Why the reference runtime that --reference asks for was not timed; empty if
  // it was.
  std::string no_reference;
  // The conditions under which this row (`ours`) and the reference runtime were
  // timed: the value of each condition by contender and name
  // (suites/references/parity.h). Empty without a reference runtime.
  std::map<std::string, std::map<std::string, std::string>> parity;

  auto Fields() const {
    return std::tie(baseline_ms, delta, threshold, paired, speedup_vs_unfused,
                    speedup_vs_untuned, speedup_vs_reference, no_reference,
                    parity);
  }
};

// Returns the sum of `change_ms` over `attribution.kernels`, in milliseconds.
double SumOfChanges(const Attribution& attribution);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_COMPARISON_H_
