// RowJudge: determines the verdict of a row that was timed.
//
// 1. The times of the row are compared with the baseline. This comparison is
//    only a screen (reports/stats/compare.h). With --inputs or --input_value,
//    it is omitted, because baselines are measured with generated inputs.
// 2. A second artifact is loaded in these cases:
//      - With --against, it is the artifact of the row in the earlier run.
//      - Without --against and --bless, if the screen suspects a change, it is
//        the artifact of the baseline.
//    If this artifact is not available, the row is inconclusive. If neither
//    case applies, the verdict of the screen is final.
// 3. The second artifact and the artifact of the row are measured side by side
//    (side_by_side.h), which determines the verdict. Identical artifacts are
//    not measured, except with --against_runtime. If the canary
//    (run_services.h) fails, the row is inconclusive.
// For rows of emulated devices, these steps are omitted and the verdict is
// `emulated`.
#ifndef ASSAY_SUITES_HARNESS_ROW_JUDGE_H_
#define ASSAY_SUITES_HARNESS_ROW_JUDGE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/baseline/baseline.h"
#include "suites/comparison/canary.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/run_services.h"
#include "suites/harness/run_state.h"

namespace assay::suites {

class RowJudge {
 public:
  // All arguments must outlive this object. `baseline` is the baseline of the
  // suite `source.suite`.
  RowJudge(const Options& options, const Services& services,
           const ModelSource& source, const reports::Baseline& baseline,
           const RunState& state)
      : options_(options),
        services_(services),
        source_(source),
        baseline_(baseline),
        state_(state) {}

  // Sets verdict, reason and comparison of the row, which must have samples.
  // Removes the samples if an output is wrong or the device fails. Thread-safe
  // for different attempts.
  void Judge(const DevicePlan& plan, Cell* cell, Attempt* attempt) const;

 private:
  void Screen(reports::Row* row) const;
  void Confirm(const DevicePlan& plan, Cell* cell, Attempt* attempt) const;
  void ConfirmSameArtifact(bool suspected, reports::Row* row,
                           Attempt* attempt) const;
  absl::Status Measure(const DevicePlan& plan, const runtime::Artifact& base,
                       Cell* cell, Attempt* attempt) const;
  absl::StatusOr<bool> CanaryIsSound(const CanaryMode& mode,
                                     const std::string& board,
                                     Attempt* attempt) const;
  void ShowDifference(const reports::Row& row, Remarks* remarks) const;
  std::string HowToConfirm(const reports::Row& row) const;
  absl::StatusOr<runtime::Artifact> OtherArtifact(
      const reports::Row& row) const;

  const Options& options_;
  const Services& services_;
  const ModelSource& source_;
  const reports::Baseline& baseline_;
  const RunState& state_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_ROW_JUDGE_H_
