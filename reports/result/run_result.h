// RunResult: the result of one run of a suite. All reports are generated from
// this structure. reports/render/format.h lists the output formats.
// results_json.h defines the storage format.
//
// Units: samples are in nanoseconds; times derived from samples are in
// milliseconds.
#ifndef ASSAY_REPORTS_RESULT_RUN_RESULT_H_
#define ASSAY_REPORTS_RESULT_RUN_RESULT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "reports/result/build_facts.h"
#include "reports/result/canary.h"
#include "reports/result/cell_key.h"
#include "reports/result/comparison.h"
#include "reports/result/device_state.h"
#include "reports/result/equal_fields.h"
#include "reports/stats/quantile_interval.h"
#include "reports/stats/summary.h"
#include "reports/stats/verdict.h"

namespace assay::reports {

// Version of results.json. It must be incremented when the meaning of a field
// changes or a field is removed, but not when a field is added. Files of
// version 1 can still be read. They have samples in milliseconds and a member
// `tuning`, which is always `none`. Files of version 2 may lack this member.
constexpr int kSchemaVersion = 2;

// The machine that ran the suite. `identity` holds the properties that identify
// the machine, and `fingerprint` is a name derived from them. `state` holds the
// properties that may differ between two runs on the same machine.
struct Environment {
  std::string fingerprint;
  std::map<std::string, std::string> identity;
  std::map<std::string, std::string> state;

  auto Fields() const { return std::tie(fingerprint, identity, state); }
};

// One kernel call of an inference, with its mean time.
struct OperatorTime {
  std::string kernel;  // name of the function
  std::string kind;    // fused operators, for example `conv2d+relu`
  // Names of the nodes of the source model that the kernel computes.
  std::vector<std::string> sources;
  double ms = 0;
  int64_t flops = 0;  // number of arithmetic operations
  int64_t bytes = 0;  // lower bound of the bytes read and written

  auto Fields() const {
    return std::tie(kernel, kind, sources, ms, flops, bytes);
  }
};

struct Timing {
  // How samples were taken: the version of the method and the flags of the
  // timing policy, for example `method=1 warmup=1 number=1 repeat=20
  // min_repeat_ms=100 cooldown_ms=0 seed=0` on one line. Times that were taken
  // in different ways may differ although the program is the same. Empty if
  // unknown.
  std::string policy;
  // Latencies of single inferences in the order of measurement. All samples are
  // positive. Empty if nothing was timed.
  std::vector<double> samples_ns;
  // The state of a leased device around the blocks in which it took these
  // samples, in the order of measurement. If there are many blocks, neighbours
  // are joined. Empty if no farm lent the device.
  std::vector<BlockState> blocks;
  // What made the samples doubtful, as clauses with figures, such as `other
  // programs used 1.4 of 2 processors`. Empty if nothing did, or if a farm lent
  // the device.
  std::vector<std::string> disturbances;
  // Time in which the device loaded the artifact, from its bytes to a program
  // that is ready to run (Session::LoadNanos in runtime/measure/session.h). The
  // median if the device loaded it several times. Missing if nothing was timed,
  // or if the device does not time loading.
  std::optional<double> load_ms;
  // The peak of the resident memory of the process of bench_artifact that ran
  // the program (Session::PeakResidentBytes in runtime/measure/session.h).
  // Missing if nothing was timed, if the device does not tell it, or if it is
  // emulated.
  std::optional<int64_t> peak_rss_bytes;
  // Kernel calls of an inference in the order of execution. Empty without
  // --per_op.
  std::vector<OperatorTime> operators;
  // Mean time of whole inferences that were interleaved with the inferences
  // from which `operators` was measured.
  std::optional<double> operators_whole_ms;

  auto Fields() const {
    return std::tie(policy, samples_ns, blocks, disturbances, load_ms,
                    peak_rss_bytes, operators, operators_whole_ms);
  }
};

struct Correctness {
  // Maximum of |output - reference| over the elements of one output of the
  // model. If the model has several outputs, this is the output whose maximum
  // is largest relative to the tolerance of the output. Infinite in the cases
  // that Accuracy::max_abs_error (suites/correctness/accuracy.h) lists.
  std::optional<double> max_abs_error;
  // The tolerance for `max_abs_error`.
  std::optional<double> max_abs_error_bound;
  // Why the expected outputs were not compared with those of another runtime;
  // empty if they were.
  std::string no_second_opinion;

  auto Fields() const {
    return std::tie(max_abs_error, max_abs_error_bound, no_second_opinion);
  }
};

// The results of one cell: of one model, compiled with one set of options, on
// one device.
struct Row {
  std::string suite;
  CellKey cell;
  // True if the artifact ran on an emulator. The times are then meaningless.
  bool emulated = false;
  // Fingerprint of the device. If the device is emulated, it differs from
  // Environment::fingerprint.
  std::string fingerprint;
  // The board that measured the row: its serial number, or its name in the
  // farm. Empty if the device was not lent by a farm.
  std::string board;
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
    return std::tie(suite, cell, emulated, fingerprint, board, build, timing,
                    correctness, comparison, verdict, reason, reproduce);
  }
};

struct RunResult {
  int schema_version = kSchemaVersion;
  // Start time of the run in UTC: `2024-05-01T12:00:00Z`.
  std::string started_at;
  // Commit of the source that was measured; empty if unknown.
  std::string commit;
  Environment environment;
  // Empty if no row was compared with another artifact (Comparison::paired).
  Canary canary;
  std::vector<Row> rows;
  std::vector<std::string> remarks;  // lines below the table, for people

  auto Fields() const {
    return std::tie(schema_version, started_at, commit, environment, canary,
                    rows, remarks);
  }
};

// Converts nanoseconds to milliseconds.
std::vector<double> InMilliseconds(const std::vector<double>& samples_ns);

// Returns the summary of the samples in milliseconds; nullopt if nothing was
// timed.
std::optional<stats::Summary> LatencySummary(const Row& row);

// Returns the quantile `p` of the samples in milliseconds, with its interval;
// nullopt if nothing was timed.
std::optional<stats::QuantileInterval> LatencyQuantile(const Row& row,
                                                       double p);

// Returns the throughput at the mean latency, in 10^9 operations per second.
// Returns nullopt if nothing was timed, if the number of operations is unknown,
// or if the row is emulated.
std::optional<double> GflopPerSecond(const Row& row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_RUN_RESULT_H_
