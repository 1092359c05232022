// SuiteComparer: measures two builds of a cell side by side, with the suite of
// the workspace from which the bisection was started.
//
// The results of each measurement are kept in a folder of their own, so that a
// bisection that was killed does not repeat it. One that is started again
// repeats those that came to no verdict.
#ifndef ASSAY_CI_BISECT_SUITE_COMPARER_H_
#define ASSAY_CI_BISECT_SUITE_COMPARER_H_

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ci/bisect/search/comparison.h"

namespace assay::ci {

struct SuiteComparerOptions {
  // Existing folder for the results.
  std::string folder;
  // The program of the suite, and its flags.
  std::string program;
  std::vector<std::string> flags;
  double budget_s = 30;
  // The largest time of a patient measurement (ComparisonRequest::patient).
  double max_budget_s = 600;
  // If true, the first measurement tests whether comparisons are right on this
  // machine (suites/comparison/canary.h).
  bool canary = true;
  // Called before each measurement.
  std::function<void(const ComparisonRequest&)> on_measurement;
};

class SuiteComparer : public Comparer {
 public:
  explicit SuiteComparer(SuiteComparerOptions options)
      : options_(std::move(options)) {}

  absl::StatusOr<Comparison> Compare(const ComparisonRequest& request) override;
  bool HasMoreTime() const override {
    return options_.max_budget_s > options_.budget_s;
  }

 private:
  // A name for the measurement, which is the same in another process.
  std::string NameOf(const ComparisonRequest& request) const;
  bool IsPatient(const ComparisonRequest& request) const {
    return request.patient && HasMoreTime();
  }
  // Removes the results of an earlier process if they have no verdict.
  absl::Status ForgetUndecided(const std::string& folder);
  absl::Status Measure(const ComparisonRequest& request,
                       const std::string& folder);

  const SuiteComparerOptions options_;
  std::set<std::string> seen_;  // folders of this process
  bool canary_is_sound_ = false;
};

// Returns a pattern of --cells that matches this cell alone.
std::string PatternOf(const std::string& cell);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SUITE_COMPARER_H_
