// Trials of a calibration: comparisons with known answers, which measure how
// reliable the verdicts on this machine are.
//
// A trial compares a subject (suites/comparison/subject.h) with a twin, as the
// gate compares two commits: same loads, same checks of outputs, same budget.
// The twin differs without being slower (`share` 0), so every alarm is false;
// or it does more work, so every verdict except `regressed` is a miss:
//   - A kernel runs more often: number * (1 + share) times instead of `number`.
//   - A network calls some of its kernels twice (AddCalls() in twin.h). The
//     true change is not known exactly; the report has the measured one.
//
// An alarm is the verdict `regressed` or `improved`. After an alarm, an A/A
// trial goes on with the stricter alarm level of a suite with kSuiteCells
// cells, until this second test is final or `budget_s` is spent. `suite_alarm`
// says whether a nightly run of the suite would have reported the alarm.
#ifndef ASSAY_SUITES_TRIALS_TRIAL_H_
#define ASSAY_SUITES_TRIALS_TRIAL_H_

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "reports/stats/paired_verdict.h"
#include "runtime/base/clock.h"
#include "suites/comparison/paired_loads.h"

namespace assay::suites {

constexpr int64_t kSuiteCells = 400;
constexpr double kSuiteFalseDiscoveryRate = 0.05;

struct Trial {
  // The parameters of the trial.
  std::string regime;  // one of BackgroundLoadNames()
  std::string subject;
  int threads = 1;
  int processes = 1;    // 2 if each program runs in a process of its own
  double share = 0;     // relative amount of extra work
  uint64_t layout = 0;  // layout seed of the twin
  uint64_t seed = 0;    // seed of the comparison

  // The results of the trial.
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  bool typical = false;  // PairedOutcome::typical_regressed
  bool suite_alarm = false;
  int64_t loads = 0;   // number of loads until the verdict
  double seconds = 0;  // time of measurement until the verdict
  // As in stats::PairedVerdict.
  double change = 0;
  double lower = 0, upper = 0;
  double detectable = 0;

  // The line of a RecordFile (record_file.h).
  static constexpr char kKind[] = "a trial";
  static constexpr char kColumns[] =
      "regime,subject,threads,processes,share,layout,seed,verdict,typical,"
      "suite_alarm,loads,seconds,change,lower,upper,detectable";
  template <typename Self>
  static auto Fields(Self& t) {
    return std::tie(t.regime, t.subject, t.threads, t.processes, t.share,
                    t.layout, t.seed, t.verdict, t.typical, t.suite_alarm,
                    t.loads, t.seconds, t.change, t.lower, t.upper,
                    t.detectable);
  }
};

// The origin of a part of a calibration: all trials of a regime and a number of
// processes that one run of //suites:calibration measured.
struct Batch {
  std::string date;    // in UTC, 2026-01-31T12:00:00Z
  std::string commit;  // SourceCommit()
  // MethodDigest() of the verdicts (suites/comparison/run_to_verdict.h).
  std::string method;
  std::string regime;
  int processes = 1;
  int64_t trials = 0;
  double budget_s = 0;
  // Load average of a minute and percentage of steal time since boot
  // (runtime::DeviceFacts::state), before and after the trials.
  std::string load_before, load_after;
  std::string steal_before, steal_after;
  // Fraction of the time in which the threads of the background load were busy.
  double duty = 0;

  static constexpr char kKind[] = "a batch";
  static constexpr char kColumns[] =
      "date,commit,method,regime,processes,trials,budget_s,load_before,"
      "load_after,steal_before,steal_after,duty";
  template <typename Self>
  static auto Fields(Self& b) {
    return std::tie(b.date, b.commit, b.method, b.regime, b.processes, b.trials,
                    b.budget_s, b.load_before, b.load_after, b.steal_before,
                    b.steal_after, b.duty);
  }
};

// What is calibrated: each combination of a subject and a number of threads.
struct Combination {
  std::string subject;
  int threads = 1;
};

struct TrialCount {
  double share = 0;
  int64_t trials = 0;
};

struct CalibrationOptions {
  // The numbers of trials for each regime and number of processes. The trials
  // of a share are divided evenly among the combinations.
  std::vector<TrialCount> counts = {{0, 200}, {0.02, 60}, {0.05, 40}};
  double budget_s = 30;  // usual time of a trial until the verdict
  // Maximum time, if the machine needs more (run_to_verdict.h).
  double max_budget_s = 0;
  stats::PairedOptions test;
  uint64_t seed = 0;
};

// Returns the trials of one regime in the order in which they must be run. Only
// the parameters of the trials are set. Trials of all shares and combinations
// are mixed, so that changes of the machine affect all equally. The plan of a
// larger calibration contains the trials of a smaller one.
std::vector<Trial> PlanTrials(const CalibrationOptions& options,
                              absl::string_view regime, int processes,
                              const std::vector<Combination>& combinations);

// Returns true if both are the same trial, whatever their results are.
bool SameParameters(const Trial& a, const Trial& b);

// Compares the programs of a pair and sets the results of `trial`. The number
// of runs per sample is a multiple of `number_multiple`.
absl::Status RunTrial(PairLoader loader, int64_t number_multiple,
                      const CalibrationOptions& options, Clock* clock,
                      Trial* trial);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_TRIAL_H_
