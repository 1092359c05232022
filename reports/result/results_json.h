// results.json: the storage format of a RunResult. It is the only format that
// keeps all fields.
//
// A file is one JSON object. Its members are the fields of RunResult:
// `schema_version`, `started_at`, `commit`, `environment`, `canary`, `rows` and
// `remarks`. A row is one flat object. Its members are the fields of Row and of
// the structs CellKey, BuildFacts, Timing, Correctness and Comparison, with the
// same names as in C++, except that Timing::policy is `timing_policy`. The
// members `fusion` and `tuning` (`none` or `tuned`) represent CellKey::variant.
// Only `operators` and `code` (arrays of objects), `paired` (an object) and
// `parity` (an object of objects) are nested. The bounds of a ratio are members
// with the suffixes `_lower` and `_upper`. For the convenience of readers, a
// row also has statistics that are computed from its samples: mean_ms, std_ms,
// median_ms, gflops, and p90_ms and p99_ms with the bounds of their intervals
// (p99_ms_lower, p99_ms_upper). Without an upper bound there are too few
// samples, and the percentile is little more than the largest of them
// (stats/quantile_interval.h). The tail of `paired` is flat (tail_slower,
// tail_inferences and so on).
//
// A value that does not exist (for example, because there is no baseline) is
// null. Infinity and NaN are the strings "inf", "-inf" and "nan". Numbers have
// enough digits to be parsed as the same double.
//
// Older files are accepted. They may lack `commit`, `canary`, `remarks`,
// `tuning_digest`, `runtime_digest`, `code`, `timing_policy`, `no_reference`,
// `no_second_opinion`, `disturbances`, `same_code`, `cause`, `work`, `parity`,
// `artifact_bytes`, `params_bytes`, `load_ms`, `peak_rss_bytes` and the tail of
// `paired`. If the bounds of a ratio are
// missing, they are 0 and infinity. If `tuning` is missing, the row is not
// tuned. Files of version 1 have samples in milliseconds (`samples_ms`) instead
// of nanoseconds (`samples_ns`).
#ifndef ASSAY_REPORTS_RESULT_RESULTS_JSON_H_
#define ASSAY_REPORTS_RESULT_RESULTS_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

// Returns the indented text of the file. Bytes that are not UTF-8 are replaced
// by U+FFFD.
std::string ResultsJson(const RunResult& result);
// Like ResultsJson(), but on one line and without a trailing newline.
std::string ResultsJsonLine(const RunResult& result);

// Parses the output of ResultsJson() or ResultsJsonLine(). Unknown members are
// ignored. Returns InvalidArgument, with the path of the member
// (`rows[2].threads`), if a member is missing or invalid.
absl::StatusOr<RunResult> ParseResultsJson(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_RESULTS_JSON_H_
