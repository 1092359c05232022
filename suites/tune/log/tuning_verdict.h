// TuningVerdict: the outcome of a side-by-side comparison, as records of the
// log have it.
#ifndef ASSAY_SUITES_TUNE_LOG_TUNING_VERDICT_H_
#define ASSAY_SUITES_TUNE_LOG_TUNING_VERDICT_H_

#include <optional>
#include <string>

#include "reports/result/json_reader.h"
#include "reports/stats/verdict.h"

namespace assay::suites {

// Compares a point with the default point, or a tuned network with the untuned
// one.
struct TuningVerdict {
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  // Time of the point divided by that of the default point, and the
  // confidence interval of this ratio (stats::PairedOptions::level).
  double ratio = 1;
  double low = 1;
  double high = 1;

  // The interval after too few loads for one.
  static constexpr double kUnknownLow = 1e-3;
  static constexpr double kUnknownHigh = 1e3;

  // Returns the ratio with its interval, `0.94 [0.93, 0.95]`, or `0.94 [?]`.
  std::string RatioText() const;
};

// Returns the value of the member `verdict` of a record.
reports::Json VerdictJson(const TuningVerdict& verdict);

// Reads the member `verdict` if the record has it. Sets the status of `record`
// if it is no verdict.
void ReadVerdict(reports::JsonReader& record,
                 std::optional<TuningVerdict>* out);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_LOG_TUNING_VERDICT_H_
