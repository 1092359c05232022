// Comparison: the measurement of one cell at two commits, side by side.
// Comparer makes it.
#ifndef ASSAY_CI_BISECT_SEARCH_COMPARISON_H_
#define ASSAY_CI_BISECT_SEARCH_COMPARISON_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ci/bisect/search/build.h"
#include "reports/result/comparison.h"
#include "reports/stats/verdict.h"

namespace assay::ci {

struct Comparison {
  // The verdict is about the later commit, compared with the earlier one.
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  std::string reason;  // one sentence; may be empty
  // Missing if nothing could be measured.
  std::optional<reports::PairedComparison> paired;
  // The results of the harness. If the cell regressed, the subfolder
  // `attribution` shows how its kernel changed.
  std::string folder;
  // Time that the comparison took, with the start of the harness.
  double seconds = 0;
  // The part of it in which the two programs were loaded and ran side by side.
  double side_by_side_s() const {
    return paired.has_value() ? paired->seconds.value_or(seconds) : 0;
  }
};

struct ComparisonRequest {
  const Build* base = nullptr;
  const Build* run = nullptr;
  std::string cell;
  // If true, each artifact is run by the runtime of its commit; otherwise both
  // by that of the harness.
  bool runtimes = false;
  // Nodes of the model. If there are any, only the kernels that compute them
  // are judged, and otherwise all whose code differs.
  std::vector<std::string> nodes;
  // stats::PairedOptions::margin.
  double margin = 0.01;
  // If true, a measurement that is undecided after its usual time may take much
  // longer.
  bool patient = true;
};

class Comparer {
 public:
  virtual ~Comparer() = default;

  // Measures, or returns the earlier result for the same artifacts. Returns an
  // error if the machine fails.
  virtual absl::StatusOr<Comparison> Compare(
      const ComparisonRequest& request) = 0;

  // Returns whether a patient measurement may take longer than another one.
  virtual bool HasMoreTime() const = 0;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SEARCH_COMPARISON_H_
