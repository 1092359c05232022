// RunResult: the result of one run of a suite. All reports are renderings of
// this structure (reports/render/format.h lists them); results_json.h stores
// it.
//
// Times of samples are in nanoseconds, derived times in milliseconds.
#ifndef ASSAY_REPORTS_RESULT_RUN_RESULT_H_
#define ASSAY_REPORTS_RESULT_RUN_RESULT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "reports/result/cell_key.h"
#include "reports/result/comparison.h"
#include "reports/result/equal_fields.h"
#include "reports/stats/summary.h"
#include "reports/stats/verdict.h"

namespace assay::reports {

// Increases when a field changes its meaning or is removed, not when a field is
// added. Version 1 had samples in milliseconds and a `tuning` that was always
// `none`; it is still read.
constexpr int kSchemaVersion = 2;

// The machine that ran the suite. `fingerprint` is a digest of `identity`, the
// properties that identify the machine; `state` holds those that may differ
// between two runs.
struct Environment {
  std::string fingerprint;
  std::map<std::string, std::string> identity;
  std::map<std::string, std::string> state;

  auto Fields() const { return std::tie(fingerprint, identity, state); }
};

// A kernel call of an inference, for the table of operators.
struct OperatorTime {
  std::string kernel;  // name of the function
  std::string kind;    // `conv2d+relu`
  // Names of the nodes of the source model that it computes.
  std::vector<std::string> sources;
  double ms = 0;
  int64_t flops = 0;
  int64_t bytes = 0;  // lower bound of the bytes read and written

  auto Fields() const {
    return std::tie(kernel, kind, sources, ms, flops, bytes);
  }
};

// The model and the artifact compiled from it.
struct BuildFacts {
  // Digest of the model file and of the values of its symbolic dimensions.
  std::string model_digest;
  std::string artifact_digest;
  // Time from the model file to the artifact.
  std::optional<double> compile_ms;
  // Size of the arena for intermediate values, and the maximum size of values
  // that are live at the same time, a lower bound for any arena.
  int64_t arena_bytes = 0;
  int64_t live_bytes = 0;
  // Operations per inference; 0 if unknown.
  int64_t flops = 0;
  // Kernel calls per inference.
  int kernels = 0;

  auto Fields() const {
    return std::tie(model_digest, artifact_digest, compile_ms, arena_bytes,
                    live_bytes, flops, kernels);
  }
};

struct Timing {
  // Latencies of single inferences in the order measured, all positive; empty
  // if nothing was timed.
  std::vector<double> samples_ns;
  // With --per_op: mean times of the kernel calls in order, and the mean time
  // of whole inferences that were timed in alternation with them.
  std::vector<OperatorTime> operators;
  std::optional<double> operators_whole_ms;

  auto Fields() const {
    return std::tie(samples_ns, operators, operators_whole_ms);
  }
};

struct Correctness {
  // Maximum of |output - reference| over all elements of all outputs, and the
  // tolerance. Infinite if an output is not a number.
  std::optional<double> max_abs_error;
  std::optional<double> max_abs_error_bound;

  auto Fields() const { return std::tie(max_abs_error, max_abs_error_bound); }
};

// One cell of the matrix: one model, compiled one way, on one device.
struct Row {
  std::string suite;
  CellKey cell;
  // True if an emulator ran the artifact, whose times mean nothing.
  bool emulated = false;
  // Fingerprint of the device; differs from that of the environment if the
  // device is emulated.
  std::string fingerprint;
  BuildFacts build;
  Timing timing;
  Correctness correctness;
  Comparison comparison;
  stats::Verdict verdict = stats::Verdict::kInfrastructure;
  // One sentence that explains the verdict; may be empty.
  std::string reason;
  // Command that measures this row again.
  std::string reproduce;

  auto Fields() const {
    return std::tie(suite, cell, emulated, fingerprint, build, timing,
                    correctness, comparison, verdict, reason, reproduce);
  }
};

// A comparison of a kernel with a copy of itself that does `share` more work.
struct CanaryTrial {
  double share = 0;
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  std::string reason;  // as in Row

  auto Fields() const { return std::tie(share, verdict, reason); }
};

// Comparisons of kernels with known answers, made in the same session
// (suites/comparison/canary.h).
struct Canary {
  CanaryTrial unchanged;
  CanaryTrial slowed;

  auto Fields() const { return std::tie(unchanged, slowed); }
};

// Returns true if the unchanged kernel was not called different and the slowed
// one was called slower.
bool IsSound(const Canary& canary);

struct RunResult {
  int schema_version = kSchemaVersion;
  // `2024-05-01T12:00:00Z`.
  std::string started_at;
  // Commit of the source that was measured; empty if unknown.
  std::string commit;
  Environment environment;
  // Present if rows were compared side by side.
  std::optional<Canary> canary = std::nullopt;
  std::vector<Row> rows;

  auto Fields() const {
    return std::tie(schema_version, started_at, commit, environment, canary,
                    rows);
  }
};

std::vector<double> InMilliseconds(const std::vector<double>& samples_ns);

// Summary of the samples in milliseconds; nullopt if nothing was timed.
std::optional<stats::Summary> LatencySummary(const Row& row);

// 10^9 operations per second at the mean latency; nullopt if nothing was timed,
// the number of operations is unknown, or the row is emulated.
std::optional<double> GflopPerSecond(const Row& row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_RUN_RESULT_H_
