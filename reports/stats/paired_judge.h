// PairedJudge: the verdict on two programs that are compared over several loads
// (suites/comparison/paired_loads.h).
//
// A load gives two observations of log(new / base): of the fastest inferences,
// which hardly any disturbance reaches, and of the typical ones. The fastest
// decide. If they have not regressed, or not yet, but the typical ones have,
// the outcome is `regressed`, too, because a lock that is sometimes contended,
// for example, does not show in the fastest inference. Each of the two tests
// (paired_verdict.h) has half of the error probability, so both together have
// that of PairedOptions::log_e_alarm.
#ifndef ASSAY_REPORTS_STATS_PAIRED_JUDGE_H_
#define ASSAY_REPORTS_STATS_PAIRED_JUDGE_H_

#include <cstdint>
#include <string>

#include "reports/stats/paired_verdict.h"

namespace assay::stats {

// The observations log(new / base) of a load.
struct LoadRatios {
  double fastest = 0;
  double typical = 0;
};

struct PairedOutcome {
  // The verdict on the fastest inferences, unless `typical_regressed`.
  PairedVerdict verdict;
  // True if the typical inferences regressed and the fastest have not, or not
  // yet. `verdict` is then that on the typical inferences.
  bool typical_regressed = false;
};

// Returns one sentence on the outcome.
std::string Describe(const PairedOutcome& outcome);

class PairedJudge {
 public:
  explicit PairedJudge(PairedOptions options);

  // Adds a load. CHECK-fails if a ratio is NaN.
  void Add(const LoadRatios& load);
  int64_t count() const { return fastest_.count(); }

  // As PairedTest::Judge().
  PairedOutcome Judge(Budget budget) const;

 private:
  PairedTest fastest_, typical_;
};

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_PAIRED_JUDGE_H_
