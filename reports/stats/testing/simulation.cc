#include "reports/stats/testing/simulation.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "reports/stats/false_discovery.h"
#include "reports/stats/sign_interval.h"
#include "reports/stats/summary.h"

namespace assay::stats {
namespace {

LoadSource Source(const Experiment& e, int64_t trial) {
  return LoadSource(e.noise, e.change, e.rounds_per_load,
                    SeedFor(e.seed, absl::StrCat(e.noise.name, " ", trial)));
}

// Measures until the verdict is final. Sets `suspected` if at any time the
// interval alone would have been called regressed.
PairedVerdict Measure(const Experiment& e, LoadSource& source,
                      bool* suspected = nullptr) {
  PairedJudge judge(e.options);
  while (true) {
    judge.Add(source.Next());
    const PairedVerdict verdict =
        judge
            .Judge(judge.count() < e.max_loads ? Budget::kLeft : Budget::kSpent)
            .verdict;
    if (suspected != nullptr) {
      *suspected |= verdict.lower > 0 && verdict.upper > e.options.margin;
    }
    if (verdict.final) return verdict;
  }
}

bool Covers(const MedianInterval& interval, double change) {
  const double truth = std::log1p(change);
  return interval.lower <= truth && truth <= interval.upper;
}

}  // namespace

Tally RunTrials(const Experiment& e) {
  Tally tally;
  for (int64_t trial = 0; trial < e.trials; ++trial) {
    LoadSource source = Source(e, trial);
    const PairedVerdict verdict = Measure(e, source);
    ++tally.trials;
    tally.regressed += verdict.verdict == Verdict::kRegressed;
    tally.improved += verdict.verdict == Verdict::kImproved;
    tally.equivalent += verdict.verdict == Verdict::kEquivalent;
    tally.inconclusive += verdict.verdict == Verdict::kInconclusive;
    tally.covered += verdict.lower <= e.change && e.change <= verdict.upper;
    tally.loads.push_back(verdict.count);
  }
  std::sort(tally.loads.begin(), tally.loads.end());
  return tally;
}

Coverage RunCoverage(const Experiment& e, int64_t fixed_loads) {
  Coverage result;
  for (int64_t trial = 0; trial < e.trials; ++trial) {
    LoadSource source = Source(e, trial);
    MedianSequence sequence(e.options.level, e.options.concentration);
    bool always = true;
    while (sequence.count() < e.max_loads) {
      sequence.Add(source.Next().fastest);
      const MedianInterval now = sequence.Interval();
      always &= Covers(now, e.change);
      if (sequence.count() != fixed_loads) continue;
      const MedianInterval fixed =
          SignInterval(sequence.sorted(), e.options.level);
      result.fixed += Covers(fixed, e.change);
      result.fixed_width += fixed.upper - fixed.lower;
      result.sequence += Covers(now, e.change);
      result.sequence_width += now.upper - now.lower;
    }
    result.always += always;
    ++result.trials;
  }
  result.fixed_width /= static_cast<double>(result.trials);
  result.sequence_width /= static_cast<double>(result.trials);
  return result;
}

Detection RunDetection(const Experiment& e) {
  Experiment same = e;
  same.change = 0;
  std::vector<double> claims;
  for (int64_t trial = 0; trial < e.trials; ++trial) {
    LoadSource source = Source(same, trial);
    PairedTest test(e.options);
    while (test.count() < e.max_loads) test.Add(source.Next().fastest);
    claims.push_back(test.Judge(Budget::kSpent).detectable);
  }
  Detection result;
  result.claimed = Percentile(claims, 50);
  result.claimed_p10 = Percentile(claims, 10);
  result.claimed_p90 = Percentile(claims, 90);

  Experiment changed = e;
  changed.change = result.claimed;
  changed.seed = SeedFor(e.seed, "changed");
  for (int64_t trial = 0; trial < e.trials; ++trial) {
    LoadSource source = Source(changed, trial);
    MedianSequence sequence(e.options.level, e.options.concentration);
    bool ever = false;
    while (sequence.count() < e.max_loads) {
      sequence.Add(source.Next().fastest);
      ever |= sequence.Interval().lower > 0;
    }
    result.seen_ever += ever;
    result.seen_at_end += sequence.Interval().lower > 0;
    ++result.trials;
  }
  return result;
}

Nights RunNights(const Experiment& e, int64_t nights, int64_t cells,
                 int64_t changed_cells, double fdr) {
  // The evidence required if no other cell is reported.
  Experiment one = e;
  one.options.log_e_alarm = LogEValueForOneOf(cells, fdr);
  Nights result;
  for (int64_t night = 0; night < nights; ++night) {
    std::vector<double> log_e;
    bool any_regressed = false;
    for (int64_t cell = 0; cell < cells; ++cell) {
      one.change = cell < changed_cells ? e.change : 0;
      LoadSource source = Source(one, night * cells + cell);
      const PairedVerdict verdict = Measure(one, source, &any_regressed);
      log_e.push_back(verdict.log_e_slower);
      log_e.push_back(verdict.log_e_faster);
    }
    const std::vector<bool> reported = Discoveries(log_e, fdr);
    int64_t alerts = 0;
    int64_t false_alerts = 0;
    for (int64_t cell = 0; cell < cells; ++cell) {
      const auto i = static_cast<size_t>(2 * cell);
      const bool slower = reported[i], faster = reported[i + 1];
      alerts += slower || faster;
      false_alerts += faster || (slower && cell >= changed_cells);
    }
    ++result.nights;
    result.with_alert += alerts > 0;
    result.with_regressed += any_regressed;
    result.alerts += alerts;
    result.false_alerts += false_alerts;
    result.changed_cells += changed_cells;
  }
  return result;
}

}  // namespace assay::stats
