// FactorialEffects: on which factors a change depends.
//
// A commit is compared with another one in several cells, which differ in two
// values of some factors: fusion on or off, tuned or not, one thread or two.
// The samples of a cell are log ratios, one for each load of both programs
// (suites/comparison/paired_loads.h). In a complete design, each combination of
// values has a cell. Then
//   - the overall effect is the mean of the cells;
//   - the effect of a factor is the mean of the cells with its second value
//     less the mean of those with its first one: by how much the change is
//     larger there. It is the interaction of the commit and the factor;
//   - the effect of two factors is half the difference between the effects of
//     the one at both values of the other: whether the change needs both.
// Three and more factors at once are not looked at.
//
// Each effect is a contrast of the means of the cells, whose samples are
// independent with variances of their own. Its interval is that of Welch and
// Satterthwaite. Source: Box, Hunter and Hunter, "Statistics for
// Experimenters", 2005, chapters 5 and 3.
#ifndef ASSAY_REPORTS_FACTORIAL_FACTORIAL_H_
#define ASSAY_REPORTS_FACTORIAL_FACTORIAL_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::reports {

struct FactorialCell {
  // For each factor, whether the cell has its second value.
  std::vector<bool> second;
  std::vector<double> samples;
};

struct Effect {
  // Indices of the factors, ascending; none for the overall effect.
  std::vector<size_t> factors;
  double estimate = 0;
  // The bounds of the confidence interval.
  double lower = 0;
  double upper = 0;

  bool IsSignificant() const { return lower > 0 || upper < 0; }
};

// Returns the overall effect, the effect of each factor, and that of each pair
// of factors, in this order. Returns InvalidArgument if the design is not
// complete, a combination occurs twice, or a cell has fewer than two samples.
absl::StatusOr<std::vector<Effect>> FactorialEffects(
    absl::Span<const FactorialCell> cells, double level);

// Where a commit makes a difference.
struct FactorialFinding {
  enum class Sort {
    kNowhere,     // no effect is significant
    kEverywhere,  // only the overall effect is
    kOnly,        // only in the cells with `where`
    kMore,        // more in the cells with `where` than in the others
  };
  Sort sort = Sort::kNowhere;
  // Factors, and whether the cells have their second values.
  std::vector<std::pair<size_t, bool>> where;
};

// Classifies effects of cells, which are those of FactorialEffects(). A change
// is absent from a cell if the mean of its samples is less than a quarter of
// the largest of all cells.
FactorialFinding Classify(absl::Span<const FactorialCell> cells,
                          absl::Span<const Effect> effects);

// Returns the quantile of Student's t distribution with `degrees` degrees of
// freedom that |t| exceeds with probability 1 - level.
double StudentQuantile(double level, double degrees);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_FACTORIAL_FACTORIAL_H_
