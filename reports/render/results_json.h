// results.json: a RunResult for programs, and the only rendering that keeps
// the samples.
//
// One object with `schema_version`, `started_at`, `commit` (older files lack
// it, as they do `same_code`), `environment` and `rows`; the members of a row
// are those of Row by the same names, plus, for readers that do not want to
// compute, what follows from its samples: mean_ms, std_ms, median_ms, p99_ms
// and gflops. A value that is not there (nothing was timed, there is no
// baseline) is null; an infinite one is the string "inf". Numbers are written
// with as many digits as it takes to read the same double back.
#ifndef ASSAY_REPORTS_RENDER_RESULTS_JSON_H_
#define ASSAY_REPORTS_RENDER_RESULTS_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/render/run_result.h"

namespace assay::reports {

std::string ResultsJson(const RunResult& result);
// The same as one line, without the line break at its end.
std::string ResultsJsonLine(const RunResult& result);

// Accepts what ResultsJson() gives, and members it does not know. The error
// names the member at fault (`rows[2].threads`).
absl::StatusOr<RunResult> ParseResultsJson(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_RESULTS_JSON_H_
