// BisectCell: finds the commits that made one cell worse.
//
// It answers the questions of the search (search.h):
//   - If the kernels in which the two ends differ have the same machine code in
//     a probe as at one of the ends, or as in an earlier probe, the answer is
//     known without a measurement. Kernels whose change in time between the
//     ends is not significant are left out.
//   - Otherwise the probe is measured side by side with the good end.
// The runtimes are compared, too, only if the artifacts alone do not explain
// the change.
//
// Not only times are bisected:
//   outcome  whether the commit can be built, and whether the cell compiles,
//            runs and gives correct outputs
//   size     the size of the artifact
//   memory   the size of the memory for intermediate values
//   compile  the time of compilation
//   load     the time of loading the artifact
// The last two are measured once per build, not side by side. Only a change of
// at least 10 % is bisected, and a probe halfway between the ends is undecided.
#ifndef ASSAY_CI_BISECT_SEARCH_CELL_BISECTION_H_
#define ASSAY_CI_BISECT_SEARCH_CELL_BISECTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ci/bisect/search/build.h"
#include "ci/bisect/search/candidates.h"
#include "ci/bisect/search/comparison.h"

namespace assay::ci {

enum class Metric : uint8_t {
  kTime,
  kOutcome,
  kSize,
  kMemory,
  kCompile,
  kLoad
};

// `time`, `outcome`, `size`, `memory`, `compile` or `load`.
absl::string_view MetricName(Metric metric);
absl::StatusOr<Metric> ParseMetric(absl::string_view name);

struct CellOptions {
  std::string cell;  // suites::CellName
  // Without a value, kOutcome if the cell works only at the good end, and kTime
  // otherwise.
  std::optional<Metric> metric;
  // The smallest relative change that is searched for.
  double min_change = 0.01;
  double max_error = 0.01;
  // SearchOptions::weights, and those for a change that kernels explain.
  std::vector<double> weights;
  std::vector<double> kernel_weights;
};

// One culprit.
struct Finding {
  // The commits of which one is the culprit, as indices like those in
  // Candidate. There is only one unless commits could not be built.
  std::vector<int> suspects;
  // The commits that were compared: one before all suspects, and one that is
  // like the last suspect.
  int before = 0;
  int after = 0;
  bool confirmed = false;
  double error = 0;  // Culprit::error
  // This clause describes the change: `2.1 % slower [1.9 %, 2.4 %]`.
  std::string change;
  // The measurement of `after` beside `before`; missing for other metrics.
  std::optional<Comparison> comparison;
};

enum class CellStatus : uint8_t {
  kFound,
  // Both ends have the same kernels and the same runtime: a difference in time
  // is the machine's.
  kSameProgram,
  // The bad end is not measurably worse than the good one.
  kNotReproduced,
  // The good end does not work, or no end has the cell.
  kUnusable,
};

struct CellResult {
  std::string cell;
  Metric metric = Metric::kTime;
  CellStatus status = CellStatus::kUnusable;
  std::string reason;  // one sentence if nothing was found
  // True if the ends were measured without a verdict.
  bool undecided = false;
  std::vector<Finding> findings;
  // The effort of the bisection.
  int candidates = 0;
  int measurements = 0;
  double measuring_s = 0;
  double side_by_side_s = 0;  // Comparison::side_by_side_s
};

// Bisects `commits`, the hashes of the good end and of all commits after it up
// to the bad end. All commits of a candidate must be known to build the same.
absl::StatusOr<CellResult> BisectCell(const std::vector<std::string>& commits,
                                      const std::vector<Candidate>& candidates,
                                      const CellOptions& options,
                                      Builder& builder, Comparer& comparer);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SEARCH_CELL_BISECTION_H_
