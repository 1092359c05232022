// Calibration: measures how reliable paired verdicts are on this machine, by
// trials with known answers.
//
// A trial compares a kernel with another copy of itself that does a known share
// of extra work (Contender::extra_work), as two programs are compared: pairs
// until the verdict is final or the budget is spent. A share of 0 is an A/A
// trial, in which every alarm is false. After an early verdict, pairs continue
// to a fixed number, for the coverage of intervals over that number.
//
// Trials of all shares and kernels are mixed in an order drawn from the seed,
// so that changes of the machine affect all shares alike.
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
#include "suites/sampling/sampler.h"

namespace assay::suites {

// Number of pairs of the interval of each trial.
constexpr int64_t kIntervalPairs = 60;

struct Trial {
  // The parameters of the trial.
  std::string regime;  // `idle`, `noisy`
  std::string kernel;
  double share = 0;  // of extra work
  uint64_t seed = 0;

  // The results of the trial.
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  int64_t pairs = 0;   // until the verdict
  double seconds = 0;  // of measurement until the verdict
  double change = 0;
  double detectable = 0;
  double log_e_slower = 0;
  // 99 % interval from kIntervalPairs pairs; `covered` is true if it contains
  // the share.
  double lower = 0, upper = 0;
  bool covered = false;
};

struct CalibrationOptions {
  // `trials` are the numbers of trials of the `shares`, over all kernels.
  std::vector<double> shares = {0, 0.005, 0.01, 0.02, 0.05};
  std::vector<int64_t> trials = {500, 100, 200, 200, 50};
  double budget_s = 3;
  stats::PairedOptions test;
  uint64_t seed = 0;
};

// Returns the trials of one regime in order, without results.
std::vector<Trial> PlanTrials(const CalibrationOptions& options,
                              absl::string_view regime,
                              const std::vector<std::string>& kernels);

// Compares `base` with `changed`, which does the trial's share of extra work.
absl::Status RunTrial(const Contender& base, const Contender& changed,
                      const CalibrationOptions& options, Clock* clock,
                      Trial* trial);

// A file of trials has the line TrialHeader() and one line per trial.
std::string TrialHeader();
std::string TrialLine(const Trial& trial);
// Parses such a file; the error names the line.
absl::StatusOr<std::vector<Trial>> ParseTrials(absl::string_view text);

// Renders tables of rates with 95 % bounds, of seconds to the verdict and of
// the coverage of intervals, and the number of suites with any alert after
// control of false discoveries, out of 200 suites of 400 unchanged cells that
// are drawn from the A/A trials.
std::string CalibrationReport(const std::vector<Trial>& trials);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_CALIBRATION_H_
