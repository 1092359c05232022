// Series: one time of a cell over the nights, or the peak of its memory, with
// the nights in which it may have changed.
//
// A night is a run in which the cell was timed on a real machine. A step is a
// night that differs from the night before (change.h). All other nights
// measured what the night before measured.
#ifndef ASSAY_REPORTS_HISTORY_SERIES_H_
#define ASSAY_REPORTS_HISTORY_SERIES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "reports/history/change.h"
#include "reports/result/run_result.h"
#include "reports/stats/verdict.h"

namespace assay::reports {

enum class Metric {
  kLatency,    // median latency of the cell
  kKernel,     // mean time of one kernel call, where operators were timed
  kLoad,       // time to load the artifact
  kReference,  // median latency of the reference runtime
  kMemory,     // peak of the resident memory
};

// Returns true for the metrics of programs whose digest rows usually record.
// The time of loading and the memory also depend on files and the system, and
// the reference runtime has no digest here.
constexpr bool IsOfProgram(Metric metric) {
  return metric == Metric::kLatency || metric == Metric::kKernel;
}

struct Point {
  size_t run = 0;  // index into the history
  // Logarithm of the time in milliseconds, or of the memory in bytes.
  double value = 0;
  uint32_t machine = 0;  // index into Series::machines
};

// The comparison of a night with another artifact, side by side.
struct SideBySide {
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  double change = 0;  // relative, with the bounds of its interval
  double lower = 0;
  double upper = 0;
  // True if the other artifact is that of the night before.
  bool with_night_before = false;
};

struct Step {
  size_t point = 0;  // index into Series::points of the later night
  Change change;
  // The comparison that this night recorded, for Metric::kLatency.
  std::optional<SideBySide> side_by_side = std::nullopt;
};

struct Series {
  // The newest row of the cell. It belongs to the history.
  const Row* row = nullptr;
  Metric metric = Metric::kLatency;
  // For Metric::kKernel: the nodes that the call computes, or its kind if it
  // computes none, and the number of the call if there are several.
  std::string kernel;
  // True if digests say when the time can change: IsOfProgram(metric), and all
  // rows have the digest of their artifact. Benchmarks of other programs
  // (reports/render/benchmark_json.h) have none.
  bool has_digest = true;
  std::vector<Point> points;
  std::vector<Step> steps;  // in ascending order of `point`
  // The names of the machines (MachineOf() in change.h) of the points, each
  // once.
  std::vector<std::string> machines;

  const std::string& MachineAt(const Point& point) const {
    return machines[point.machine];
  }
  // Returns the index of a machine, which is added if it is new.
  uint32_t AddMachine(absl::string_view name);
};

// Returns the series of all cells, in the order of their names (cell_name.h);
// those of a cell in the order of the metrics. `history` must be ordered from
// oldest to newest, and must outlive the series.
std::vector<Series> BuildSeries(absl::Span<const RunResult> history);

// Returns the step at this point; nullptr if there is none.
const Step* StepAt(const Series& series, size_t point);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_HISTORY_SERIES_H_
