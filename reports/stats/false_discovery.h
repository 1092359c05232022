// False discoveries: which cells of a suite to report, given the evidence that
// each has.
//
// A suite of 400 unchanged cells, each tested at 1 %, alerts every night. What
// an engineer needs is that of the cells he is told about few are false: the
// false discovery rate, the expectation of (false alerts / alerts), 0 where
// there are none. For nights on which nothing changed it is the probability of
// any alert at all.
//
// The procedure e-BH: sort K e-values from the largest; let r be the last rank
// with
//   e_(r) >= K / (fdr * r);
// report the r cells with the largest. The rate is at most `fdr` whatever the
// cells have to do with one another, and measuring of a cell may have stopped
// whenever its samples suggested it: all that is asked for is that each e is an
// e-value at the moment at which measuring ended. Give the e-value of that
// moment, never the largest that a process had: with maxima the rate is not
// controlled (Tavyrikov, Goeman and de Heide, "Carefree multiple testing with
// e-processes", 2025).
//
// All cells that were judged count for K, the quiet ones too.
//
// Source: Wang and Ramdas, "False discovery rate control with e-values",
// Journal of the Royal Statistical Society B 84, 2022.
#ifndef ASSAY_REPORTS_STATS_FALSE_DISCOVERY_H_
#define ASSAY_REPORTS_STATS_FALSE_DISCOVERY_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::stats {

// For each cell, whether to report it. `log_e_values` are logarithms, -infinity
// included; `fdr` is in (0, 1).
std::vector<bool> Discoveries(absl::Span<const double> log_e_values,
                              double fdr);

// The log e with which a cell is reported whatever the other cells are, which
// are `cells` with it: what each must reach where none waits for the others.
double LogEValueForOneOf(int64_t cells, double fdr);

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_FALSE_DISCOVERY_H_
