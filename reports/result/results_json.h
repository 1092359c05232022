// results.json: the storage format of a RunResult, and the only format that
// keeps the samples.
//
// One object with `schema_version`, `started_at`, `commit` (missing in older
// files, like `same_code`), `environment` and `rows`. A row is flat: its
// members are those of Row and of its parts, by the same names, and for
// convenience the statistics of its samples: mean_ms, std_ms, median_ms, p99_ms
// and gflops. A missing value (nothing was timed, there is no baseline) is
// null; an infinite one is the string "inf". Numbers have enough digits to read
// back as the same double. Files of version 1, with `samples_ms` instead of
// `samples_ns`, are read, too.
#ifndef ASSAY_REPORTS_RESULT_RESULTS_JSON_H_
#define ASSAY_REPORTS_RESULT_RESULTS_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

std::string ResultsJson(const RunResult& result);
// The same as one line, without the line break at its end.
std::string ResultsJsonLine(const RunResult& result);

// Accepts what ResultsJson() gives, and members it does not know. The error
// names the member at fault (`rows[2].threads`).
absl::StatusOr<RunResult> ParseResultsJson(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_RESULTS_JSON_H_
