// CompareWithDefault: decides whether a point replaces the default point of its
// task, and whether a log makes a network faster.
//
// The smallest of many noisy times is smaller than the truth, so the samples of
// the search do not show that the point is faster. CompareWithDefault()
// therefore measures both programs again, side by side over several loads
// (suites/comparison/paired_loads.h), and checks the outputs of both.
#ifndef ASSAY_SUITES_TUNE_SEARCH_ACCEPTANCE_H_
#define ASSAY_SUITES_TUNE_SEARCH_ACCEPTANCE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reports/stats/paired_verdict.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/clock.h"
#include "runtime/measure/session.h"
#include "suites/comparison/checked_pair.h"
#include "suites/comparison/paired_loads.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/checked_session.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

// Two programs that compute the same, and where they are compared.
struct Candidates {
  absl::Span<const Example> examples;
  const runtime::Artifact* usual = nullptr;  // of the default point
  const runtime::Artifact* point = nullptr;
  runtime::Runner* runner = nullptr;
  int threads = 1;
  CheckRule rule = {};
};

struct TunedComparison {
  TuningVerdict verdict;
  // Nanoseconds per run: the median, over the loads, of the fastest inference.
  double point_ns = 0;
  double default_ns = 0;
  std::vector<PairedLoads::Load> loads = {};
};

struct AcceptanceOptions {
  stats::PairedOptions test;
  double budget_s = 10;  // time of measurement
  Clock* clock = Clock::Monotonic();
  uint64_t seed = 0;
};

// Measures a point and the default point side by side, load by load
// (suites/comparison/paired_loads.h), while their outputs are checked.
class PointComparison {
 public:
  // Runs both programs on all examples. Returns the errors of the device, of
  // which a wrong output is none: Problem() must be checked. What `candidates`
  // refers to must outlive the result.
  static absl::StatusOr<std::unique_ptr<PointComparison>> Start(
      const Candidates& candidates, uint64_t seed, Clock* clock);

  PairedLoads& loads() { return loads_; }
  // Runs loads until there is a verdict or the budget is spent. Returns the
  // errors of the device. Requires that there was no problem before.
  absl::StatusOr<TunedComparison> Judge(const AcceptanceOptions& options);
  // Returns Internal if an output was wrong, at the start or while it was
  // measured.
  absl::Status Problem() const;

 private:
  PointComparison(const Candidates& candidates, uint64_t seed, Clock* clock,
                  std::unique_ptr<runtime::Session> session);

  const CheckedSession session_;
  std::string wrong_at_start_;  // one sentence, or empty
  CheckedPair pair_;
  PairedLoads loads_;
};

// Returns Internal if an output of the point is wrong, and otherwise the errors
// of the device.
absl::StatusOr<TunedComparison> CompareWithDefault(
    const Candidates& candidates, const AcceptanceOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_SEARCH_ACCEPTANCE_H_
