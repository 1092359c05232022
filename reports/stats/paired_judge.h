// PairedJudge: the verdict on two programs that are compared over several loads
// (suites/comparison/paired_loads.h).
//
// A load gives two observations of log(new / base): one of the fastest
// inferences, which disturbances hardly affect, and one of the typical
// inferences. Each of them has its own test (paired_verdict.h). The outcome is
// `regressed` if either test says so, and otherwise the verdict on the fastest
// inferences. The typical inferences are tested because, for example, a lock
// that is only sometimes contended does not slow down the fastest inference.
// Each test has half of the error probability that PairedOptions::log_e_alarm
// specifies, so that the two tests together do not exceed it.
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
  // True if the typical inferences regressed and the fastest ones did not, or
  // not yet. `verdict` is then the verdict on the typical inferences.
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
