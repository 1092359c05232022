// Calibration: what paired verdicts are worth on this machine, from trials
// whose right answer is known.
//
// A trial compares a kernel with another copy of itself, loaded anew, that does
// a known share more work (extra_work.h), as a comparison of two programs
// would: pairs until the verdict is final or the budget is spent. A share of 0
// is an A/A trial, in which every alarm is false. Pairs go on to a fixed number
// where the verdict came early, for what is said of intervals of a fixed
// number of pairs.
//
// Trials of all shares and kernels come mixed, in an order drawn from the seed,
// so that no share meets a better hour than the others.
#ifndef ASSAY_SUITES_COMPARISON_CALIBRATION_H_
#define ASSAY_SUITES_COMPARISON_CALIBRATION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/stats/paired_verdict.h"
#include "runtime/base/clock.h"
#include "suites/comparison/paired_sampler.h"

namespace assay::suites {

// What is measured of every trial beyond its verdict.
constexpr int64_t kIntervalPairs = 60;

struct Trial {
  // Asked.
  std::string regime;  // `idle`, `noisy`
  std::string kernel;
  double share = 0;  // of extra work
  uint64_t seed = 0;

  // Answered.
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  int64_t pairs = 0;   // until the verdict
  double seconds = 0;  // all of measuring, until the verdict
  double change = 0;
  double detectable = 0;
  double log_e_slower = 0;
  // The interval of kIntervalPairs pairs at 99 %, and whether it holds the
  // share.
  double lower = 0, upper = 0;
  bool covered = false;
};

struct CalibrationOptions {
  // Trials of each kernel-independent share, in the order of `shares`.
  std::vector<double> shares = {0, 0.005, 0.01, 0.02, 0.05};
  std::vector<int64_t> trials = {500, 100, 200, 200, 50};
  double budget_s = 3;
  stats::PairedOptions test;
  uint64_t seed = 0;
};

// What is to be tried in one regime, in its order; the answers are empty.
std::vector<Trial> PlanTrials(const CalibrationOptions& options,
                              absl::string_view regime,
                              const std::vector<std::string>& kernels);

// Measures `base` against `changed`, which has the trial's share already.
absl::Status RunTrial(Arm base, Arm changed, const CalibrationOptions& options,
                      Clock* clock, Trial* trial);

// A line per trial; TrialHeader() is the first line of such a file.
std::string TrialHeader();
std::string TrialLine(const Trial& trial);
// The inverse of a file of them; the error names the line.
absl::StatusOr<std::vector<Trial>> ParseTrials(absl::string_view text);

// Tables of rates with 95 % bounds, seconds to the verdict, coverage of
// intervals, and of suites of 400 unchanged cells, drawn 200 times from the A/A
// trials, how many give any alert after the control of false discoveries.
std::string CalibrationReport(const std::vector<Trial>& trials);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_CALIBRATION_H_
