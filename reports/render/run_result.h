// RunResult: all that one run of a suite found out. Every report is a
// rendering of this one structure (format.h lists them). A rendering adds
// nothing and decides nothing.
#ifndef ASSAY_REPORTS_RENDER_RUN_RESULT_H_
#define ASSAY_REPORTS_RENDER_RUN_RESULT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/stats/summary.h"
#include "reports/stats/verdict.h"

namespace assay::reports {

// Rises when a field changes its meaning or goes away; not when one is added.
constexpr int kSchemaVersion = 1;

// The machine that ran the suite. `identity` is what makes it this machine and
// is condensed in `fingerprint`; `state` is what may differ the next time.
struct Environment {
  std::string fingerprint;
  std::map<std::string, std::string> identity;
  std::map<std::string, std::string> state;
};

// A kernel call of an inference, for the table of operators.
struct OperatorTime {
  std::string kernel;  // the function's name
  std::string kind;    // `conv2d+relu`
  // Names of the nodes of the source model that it computes.
  std::vector<std::string> sources;
  double ms = 0;
  int64_t flops = 0;
  int64_t bytes = 0;  // that it must read and write at least
};

// What became of a piece of the source model, between two artifacts that were
// timed kernel by kernel, in turns: the kernels of each that compute it, and
// how much longer those of the run take. Times are medians over inferences.
struct KernelChange {
  std::vector<std::string> sources;  // nodes of the source model
  std::vector<std::string> base_kernels;
  std::vector<std::string> run_kernels;
  double base_ms = 0;
  double run_ms = 0;
  // With an interval at 99 %, whose ends are infinite if it is not bounded.
  double change_ms = 0;
  double lower_ms = 0;
  double upper_ms = 0;
  // Whether the kernels are known to be the same machine code.
  bool same_code = false;
};

// Where a difference between two artifacts comes from.
struct Attribution {
  // Of each artifact, that many inferences were timed by kernel and that many
  // as a whole, all in turns.
  int64_t rounds = 0;
  // Largest change of either sign first.
  std::vector<KernelChange> kernels;
  // How much longer whole inferences of the run take, of either sort, with its
  // interval.
  double whole_ms = 0;
  double whole_lower_ms = 0;
  double whole_upper_ms = 0;
};

// A cell measured side by side with another artifact of the same cell, round by
// round: what came of it, as stats/paired_verdict.h says, and all samples.
struct PairedComparison {
  std::string artifact_digest;  // of the other
  // Latencies of both by round, equally many.
  std::vector<double> base_ms;
  std::vector<double> run_ms;
  // Relative: 0.02 is 2 % slower than the other. An interval that is not
  // bounded has infinite ends.
  double change = 0;
  double lower = 0;
  double upper = 0;
  double detectable = 0;
  // Of a row that changed, where that was asked for and could be had.
  std::optional<Attribution> attribution = std::nullopt;
};

// One cell of the matrix: one model, compiled one way, on one device.
struct Row {
  std::string suite;
  std::string model;
  std::string device;
  bool fusion = true;
  std::string tuning = "none";
  int threads = 1;
  // The times are an emulator's and mean nothing.
  bool emulated = false;
  // Of the device, which for an emulated one is not the environment's.
  std::string fingerprint;

  // One latency of one inference each, in the order measured, every one
  // positive; empty if nothing was timed.
  std::vector<double> samples_ms;
  // Of one inference; 0 where unknown.
  int64_t flops = 0;
  // Kernel calls per inference.
  int kernels = 0;

  // From the model's file to the artifact.
  std::optional<double> compile_ms;
  // The arena of intermediate values, and what of it is alive at once at most,
  // below which no arena can be.
  int64_t arena_bytes = 0;
  int64_t live_bytes = 0;

  // With --per_op: the kernel calls in order, each a mean, and the mean of
  // whole inferences that were timed in turns with them.
  std::vector<OperatorTime> operators;
  std::optional<double> operators_whole_ms;

  // The largest |output - reference| over all elements of all outputs, and
  // the most it may be. Infinite where an output is not a number.
  std::optional<double> max_abs_error;
  std::optional<double> max_abs_error_bound;

  // Median of the baseline, and the comparison with it (stats/compare.h).
  std::optional<double> baseline_ms;
  std::optional<double> delta;
  std::optional<double> threshold;
  // The comparison with another artifact, if there was one: then the verdict
  // comes from it.
  std::optional<PairedComparison> paired;
  // How many times faster than the same model without fusion, measured in
  // turns with it.
  std::optional<double> speedup_vs_unfused;
  // How many times faster than the runtime that serves as reference.
  std::optional<double> speedup_vs_reference;

  stats::Verdict verdict = stats::Verdict::kInfrastructure;
  // One sentence that explains the verdict; may be empty.
  std::string reason;

  // Digest of the model file and how its dimensions were bound.
  std::string model_digest;
  std::string artifact_digest;
  // The command that measures this row again.
  std::string reproduce;
};

// A kernel compared with a copy of itself that does `share` more work.
struct CanaryTrial {
  double share = 0;
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  std::string reason;  // as of a row
};

// What comparisons of this session made of kernels whose answer is known
// (suites/comparison/canary.h).
struct Canary {
  CanaryTrial unchanged;
  CanaryTrial slowed;
};

// Whether the unchanged one was not called different, and the other slower.
bool IsSound(const Canary& canary);

struct RunResult {
  int schema_version = kSchemaVersion;
  // `2024-05-01T12:00:00Z`.
  std::string started_at;
  // Of the source that was measured; empty where unknown.
  std::string commit;
  Environment environment;
  // Where anything was measured side by side.
  std::optional<Canary> canary = std::nullopt;
  std::vector<Row> rows;
};

bool operator==(const OperatorTime& a, const OperatorTime& b);
bool operator==(const Environment& a, const Environment& b);
bool operator==(const KernelChange& a, const KernelChange& b);
bool operator==(const Attribution& a, const Attribution& b);
bool operator==(const PairedComparison& a, const PairedComparison& b);
bool operator==(const Canary& a, const Canary& b);
bool operator==(const Row& a, const Row& b);
bool operator==(const RunResult& a, const RunResult& b);

// Nothing where nothing was timed.
std::optional<stats::Summary> Timing(const Row& row);

// Of all kernels together, in milliseconds.
double SumOfChanges(const Attribution& attribution);

// 10^9 operations per second at the mean latency. Nothing where nothing was
// timed, the number of operations is unknown, or the time is an emulator's.
std::optional<double> GflopPerSecond(const Row& row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_RUN_RESULT_H_
