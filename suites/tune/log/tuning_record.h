// TuningRecord: a trial of the tuner, as a line of its log.
//
//   {"v":1,"task":"4f0e…","workload":"p0: float32[1,64] …","anchor":"matmul",
//    "flops":8192,"target":"llvm …","device":"x86_64-amd-epyc-2c-1a2b3c4d",
//    "threads":2,"implementation":"matmul.blocked","config":[["mc","ot",1]],
//    "template_digest":"9c…","status":"ok","samples_ns":[9250.5,9261],
//    "max_error":1e-6,"tuner":"xgb","seed":7,"time":"2026-11-24T12:00:00Z"}
//
// A record with `loads` is that of a finalist of the search, a point that was
// measured again next to the default point in several loads
// (search/successive_halving.h). A record with a verdict says how one of the
// best finalists compares with the default point of its task when both are
// measured side by side (reports/stats/paired_judge.h). Only such a record
// makes the compiler use a point. A record with neither is that of a trial, or
// of a finalist that failed.
//
// The configuration has the form of AutoTVM's records. Lines do not depend on
// each other, so logs can be merged by concatenation. Unknown members are
// ignored; a line of another version is an error.
#ifndef ASSAY_SUITES_TUNE_LOG_TUNING_RECORD_H_
#define ASSAY_SUITES_TUNE_LOG_TUNING_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/driver/tuning_table.h"
#include "compiler/ops/config.h"
#include "reports/result/json_reader.h"
#include "reports/stats/verdict.h"

namespace assay::suites {

constexpr int kTuningRecordVersion = 1;

// Times of two records are comparable only if their places are equal.
struct TuningPlace {
  std::string target;  // target::Target::ToString()
  std::string device;  // the fingerprint (runtime::DeviceFacts)
  int threads = 1;
};

bool operator==(const TuningPlace& a, const TuningPlace& b);
bool operator<(const TuningPlace& a, const TuningPlace& b);

// Returns `device D, 2 threads, llvm …`.
std::string ToString(const TuningPlace& place);

// How a trial ended.
enum class TrialStatus : uint8_t {
  kOk,
  kBuildError,    // the compiler has refused the point
  kBuildCrash,    // the compiler has crashed
  kBuildTimeout,  // the compiler has exceeded its time limit
  kRunError,      // the session failed, for example because the kernel crashed
  kTimeout,       // the time limit of the session has passed
  kWrong,         // the outputs are wrong; nothing was measured
  kDeviceLost,    // the device was lost; this says nothing about the point
};
constexpr int kNumTrialStatuses = 8;

// Returns the name in the log, such as `build_error`.
absl::string_view TrialStatusName(TrialStatus status);

// The outcome of a side-by-side comparison: of a point with the default point,
// or of a tuned network with the untuned one.
struct TuningVerdict {
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  // Time of the point divided by that of the default point, and the
  // confidence interval of this ratio (stats::PairedOptions::level).
  double ratio = 1;
  double low = 1;
  double high = 1;

  // The ends of the interval if there were too few loads to compute it.
  static constexpr double kUnknownLow = 1e-3;
  static constexpr double kUnknownHigh = 1e3;

  // Returns the ratio with its interval, `0.94 [0.93, 0.95]`, or `0.94 [?]`.
  std::string RatioText() const;
};

struct TuningRecord {
  std::string task;        // tune::Task::key
  std::string workload;    // tune::Task::workload
  std::string anchor;      // tune::Task::anchor
  int64_t flops = 0;       // of one call
  std::string target;      // target::Target::ToString()
  std::string device;      // the fingerprint (runtime::DeviceFacts)
  std::string board = {};  // empty if no farm lent the device
  int threads = 1;
  std::string implementation;
  ops::Config config;
  // Identifies the code that the point is compiled from (tune::TemplateDigest).
  // If the compiler has another template now, the times are not used.
  std::string template_digest;
  // Digest of the machine code; empty if the point was not built. Points with
  // equal code are measured once, and have the same samples.
  std::string code_digest = {};
  TrialStatus status = TrialStatus::kOk;
  // Nanoseconds per call, in the order of measurement; all positive. Empty
  // unless the status is kOk.
  std::vector<double> samples_ns = {};
  // Samples of the default point of the task, which alternated with those of
  // the point. The ratio of both is meaningful even if the machine was busy.
  // Empty in records of the default point.
  std::vector<double> default_ns = {};
  // If not 0, the point and the default point were loaded this many times, and
  // both have a sample for each load: the time of the fastest inference
  // (suites/comparison/paired_loads.h) divided by the number of calls.
  int64_t loads = 0;
  std::optional<double> max_error = std::nullopt;
  std::string error = {};  // one sentence; empty if the status is kOk
  std::optional<TuningVerdict> verdict = std::nullopt;
  std::string tuner = {};  // `random`, `grid`, `genetic` or `xgb`
  int64_t seed = 0;        // of the run of the tuner
  std::string time;        // UTC, when the trial ended

  // Returns the record as one line without a line break.
  std::string ToJson() const;
  // Returns InvalidArgument, with the name of the member, if the line is not a
  // record.
  static absl::StatusOr<TuningRecord> FromJson(absl::string_view line);
};

// Returns where the record was measured.
TuningPlace PlaceOf(const TuningRecord& record);
// Returns the point of the record.
driver::TunedKernel PointOf(const TuningRecord& record);

// Returns the time of the point relative to that of the default point: for a
// trial, the ratio of the fastest samples, because disturbances of the machine
// hardly ever affect all samples; for a record with `loads`, the median of the
// ratios of the loads. Returns 1 if there are no samples of the default point
// to compare with, as in its own records. Requires samples of the point.
double RelativeTime(const TuningRecord& record);

// Returns the members `implementation` and `config` of a point.
reports::Json PointJson(const driver::TunedKernel& point);

// Reads these members. If one of them is wrong, sets the status of `members` to
// an error.
void ReadPoint(reports::JsonReader& members, std::string* implementation,
               ops::Config* config);

// Returns the value of the member `verdict` of a record.
reports::Json VerdictJson(const TuningVerdict& verdict);

// Reads the member `verdict` if the record has it. If its value is not a
// verdict, sets the status of `record` to an error.
void ReadVerdict(reports::JsonReader& record,
                 std::optional<TuningVerdict>* out);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_TUNING_RECORD_H_
