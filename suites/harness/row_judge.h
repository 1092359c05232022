// RowJudge: determines the verdict of a row that was timed.
//
// The comparison with the baseline is a screen (reports/stats/compare.h). If it
// suspects a change, or with --against, the artifact of the baseline or of the
// other run is measured side by side with this one, and the verdict comes from
// that. If that artifact is not available, the row is inconclusive.
#ifndef ASSAY_SUITES_HARNESS_ROW_JUDGE_H_
#define ASSAY_SUITES_HARNESS_ROW_JUDGE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/baseline/baseline.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/run_services.h"
#include "suites/harness/run_state.h"

namespace assay::suites {

class RowJudge {
 public:
  // The arguments outlive the object. `baseline` is that of the suite of
  // `source`.
  RowJudge(const Options& options, const Services& services,
           const ModelSource& source, const reports::Baseline& baseline,
           RunState* state)
      : options_(options),
        services_(services),
        source_(source),
        baseline_(baseline),
        state_(state) {}

  // Sets verdict, reason and comparison of a row that has samples. Removes the
  // samples if an output turns out to be wrong or a device fails.
  void Judge(const DevicePlan& plan, Cell* cell) const;

 private:
  void Screen(reports::Row* row) const;
  void Confirm(const DevicePlan& plan, Cell* cell) const;
  void ConfirmSameArtifact(bool suspected, reports::Row* row) const;
  absl::Status Measure(const DevicePlan& plan, const runtime::Artifact& base,
                       Cell* cell) const;
  absl::Status AskCanary() const;
  void ShowDifference(const reports::Row& row) const;
  std::string HowToConfirm(const reports::Row& row) const;
  absl::StatusOr<runtime::Artifact> OtherArtifact(
      const reports::Row& row) const;

  const Options& options_;
  const Services& services_;
  const ModelSource& source_;
  const reports::Baseline& baseline_;
  RunState* const state_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_ROW_JUDGE_H_
