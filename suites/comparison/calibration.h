// Calibration: measures how reliable paired verdicts (stats::PairedVerdict) are
// on this machine, by trials with known answers.
//
// A trial compares a kernel with a twin (twin.h) that does a known share of
// extra work (Contender::extra_work). Like a comparison of two programs, it
// loads both again and again until the verdict is final or the budget is spent.
// A trial with a share of 0 is an A/A trial, in which every alarm is false. If
// the verdict needs fewer than kIntervalLoads loads, the trial continues up to
// this number of loads. The first kIntervalLoads loads of each trial yield a
// confidence interval; the report states how often these intervals contain the
// true share.
//
// Trials of all shares and kernels are mixed in a random order that depends on
// the seed, so that changes of the machine affect all shares equally.
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
#include "suites/comparison/program_pair.h"

namespace assay::suites {

// Number of loads from which the confidence interval of each trial is computed.
constexpr int64_t kIntervalLoads = 30;

struct Trial {
  // The parameters of the trial.
  std::string regime;  // `idle`, or `noisy` with a BackgroundLoad
  std::string kernel;  // KnownKernel::name
  double share = 0;    // relative amount of extra work
  uint64_t seed = 0;   // seed of the order of samples

  // The results of the trial.
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  int64_t loads = 0;   // number of loads until the verdict
  double seconds = 0;  // time of measurement until the verdict
  // These four values are described in stats::PairedVerdict.
  double change = 0;
  double detectable = 0;
  double log_e_slower = 0;
  double log_e_faster = 0;
  // 99 % confidence interval of the change, from kIntervalLoads loads.
  // `covered` is true if the interval contains `share`.
  double lower = 0, upper = 0;
  bool covered = false;
};

struct CalibrationOptions {
  // trials[i] is the number of trials with the share shares[i]. These trials
  // are divided evenly among the kernels.
  std::vector<double> shares = {0, 0.005, 0.01, 0.02, 0.05};
  std::vector<int64_t> trials = {500, 100, 200, 200, 50};
  double budget_s = 3;  // maximum time of a trial until the verdict
  stats::PairedOptions test;
  uint64_t seed = 0;
};

// Returns the trials of one regime in the order in which they must be run. Only
// the parameters of the trials are set.
std::vector<Trial> PlanTrials(const CalibrationOptions& options,
                              absl::string_view regime,
                              const std::vector<std::string>& kernels);

// Compares the programs of a pair and sets the results of `trial`. Requires
// that the run does the share `trial->share` of extra work.
absl::Status RunTrial(PairLoader loader, const CalibrationOptions& options,
                      Clock* clock, Trial* trial);

// A file of trials consists of TrialHeader(), followed by TrialLine() of each
// trial. Both strings end in a newline.
std::string TrialHeader();
std::string TrialLine(const Trial& trial);
// Parses the text of a file of trials. Returns InvalidArgument if a line is
// malformed.
absl::StatusOr<std::vector<Trial>> ParseTrials(absl::string_view text);

// Returns a report as text. For each regime and share, a table contains
//   - the rates of the verdicts, with 95 % bounds;
//   - the median and the 95th percentile of the seconds until the verdict; and
//   - the rate of the intervals that contain the share.
// For each regime, the report also states the coverage over all shares, and the
// result of a simulation. The simulation draws 200 suites of 400 unchanged
// cells from the A/A trials and counts the suites with any alert, in either
// direction, after control of false discoveries.
std::string CalibrationReport(const std::vector<Trial>& trials);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_CALIBRATION_H_
