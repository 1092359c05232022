// Format: an enumeration of the output formats of a RunResult. Render() selects
// the format at run time.
#ifndef ASSAY_REPORTS_RENDER_FORMAT_H_
#define ASSAY_REPORTS_RENDER_FORMAT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

enum class Format { kTable, kJson, kCsv, kJUnit, kMarkdown, kBenchmark };

// Returns the names of all formats: `table`, `json`, `csv`, `junit`,
// `markdown`, `benchmark`.
std::vector<std::string> FormatNames();
// Returns the format with the given name. Returns InvalidArgument, with `name`
// and the list of formats, if there is no such format.
absl::StatusOr<Format> ParseFormat(absl::string_view name);

// Returns `result` as text in the given format.
std::string Render(const RunResult& result, Format format);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_FORMAT_H_
