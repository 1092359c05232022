// The report of //suites:zoo: a table with a line for each model, a summary,
// and the exit code.
#ifndef ASSAY_SUITES_MODEL_ZOO_REPORT_H_
#define ASSAY_SUITES_MODEL_ZOO_REPORT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/base/exit_code.h"
#include "suites/model_zoo/outcome.h"

namespace assay::suites {

// A model whose ratio is below this one is listed in the summary.
constexpr double kSlowRatio = 0.95;

// Return a line of the table, which is printed as soon as the model is
// measured. `width` is the length of the longest name of a model.
std::string ZooTableHeader(size_t width);
std::string ZooTableLine(const ZooOutcome& outcome, size_t width);

// Returns the number of each result, the geometric mean of the ratios to
// `reference`, and the models with a ratio below kSlowRatio.
std::string ZooSummary(const std::vector<ZooOutcome>& outcomes,
                       const std::string& reference);

// Returns the most severe of these codes:
//   kWrongResult     a model is wrong;
//   kInfrastructure  a model crashed, is late, failed or is missing;
//   kRegression      fewer than `at_least` models are correct;
//   kInconclusive    no model is correct.
// Otherwise returns kPass: a model that is refused with a sentence is no
// failure.
ExitCode ZooExitCode(const std::vector<ZooOutcome>& outcomes, int at_least);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODEL_ZOO_REPORT_H_
