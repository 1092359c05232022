// Discoveries: controls the false discovery rate over the cells of a suite with
// e-values (sign_process.h).
//
// If each of 400 unchanged cells is tested at level 1 %, almost every run of
// the suite raises a false alert. Therefore the false discovery rate is
// controlled. It is the expectation of the ratio of false alerts to all alerts,
// where the ratio is 0 if there are no alerts. If no cell has changed, the
// false discovery rate is the probability that there is at least one alert.
//
// The procedure is e-BH, the Benjamini-Hochberg procedure for e-values. It
// sorts the K e-values in descending order and computes the largest rank r with
//   e_(r) >= K / (fdr * r).
// It then reports the r hypotheses with the largest e-values. K is the number
// of all tested hypotheses, including those without evidence against them. A
// cell has two hypotheses, "not slower" and "not faster", because an alert in
// either direction is false if the cell has not changed.
//
// The false discovery rate is at most `fdr` under arbitrary dependence between
// the cells, and even if each measurement is stopped at a data-dependent time.
// Each e-value must be the value of the e-process at the time when the
// measurement stopped. It must not be the running maximum of the e-process,
// because then the false discovery rate is not controlled (Tavyrikov, Goeman
// and de Heide, "Carefree multiple testing with e-processes", 2025).
//
// Source: Wang and Ramdas, "False discovery rate control with e-values",
// Journal of the Royal Statistical Society B 84, 2022.
#ifndef ASSAY_REPORTS_STATS_FALSE_DISCOVERY_H_
#define ASSAY_REPORTS_STATS_FALSE_DISCOVERY_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::stats {

// False discovery rate of a run whose alerts people receive by themselves: a
// run a night gives at most 0.1 false alerts in 30 nights, also if all programs
// change every night.
constexpr double kNightlyFalseDiscoveryRate = 0.1 / 30;

// Returns, for each hypothesis, true if it must be reported. `log_e_values` has
// one element per hypothesis and may contain -infinity. `fdr` must be in (0,
// 1).
std::vector<bool> Discoveries(absl::Span<const double> log_e_values,
                              double fdr);

// Returns log(2 * cells / fdr). In a suite of `cells` cells, a hypothesis with
// at least this log e-value is reported, regardless of all other e-values. Use
// this function if cells are judged before all e-values are known.
double LogEValueForOneOf(int64_t cells, double fdr);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_FALSE_DISCOVERY_H_
