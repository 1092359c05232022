// Control of the false discovery rate over the cells of a suite with e-values.
//
// A suite of 400 unchanged cells, each tested at level 1 %, raises an alert
// almost every night. The quantity to control is the false discovery rate, the
// expectation of false alerts / alerts (0 if there are no alerts). If no cell
// has changed, it is the probability of any alert.
//
// The procedure is e-BH, the Benjamini-Hochberg procedure for e-values: sort
// the K e-values in descending order, let r be the largest rank with
//   e_(r) >= K / (fdr * r),
// and report the r cells with the largest e-values. The false discovery rate is
// at most `fdr` under arbitrary dependence of the cells and under optional
// stopping of each measurement: each e must be an e-value at the time when the
// measurement stopped. Use the value of the e-process at that time and never
// its running maximum, for which the rate is not controlled (Tavyrikov, Goeman
// and de Heide, "Carefree multiple testing with e-processes", 2025).
//
// K counts all tested cells, including those without evidence.
//
// Source: Wang and Ramdas, "False discovery rate control with e-values",
// Journal of the Royal Statistical Society B 84, 2022.
#ifndef ASSAY_REPORTS_STATS_FALSE_DISCOVERY_H_
#define ASSAY_REPORTS_STATS_FALSE_DISCOVERY_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::stats {

// For each cell, true if it is to be reported. `log_e_values` may contain
// -infinity; `fdr` is in (0, 1).
std::vector<bool> Discoveries(absl::Span<const double> log_e_values,
                              double fdr);

// The log e-value at which one of `cells` cells is reported regardless of the
// others. Use it if cells are judged before all e-values are known.
double LogEValueForOneOf(int64_t cells, double fdr);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_FALSE_DISCOVERY_H_
