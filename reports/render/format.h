// Format: the renderings of a RunResult by name.
#ifndef ASSAY_REPORTS_RENDER_FORMAT_H_
#define ASSAY_REPORTS_RENDER_FORMAT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

enum class Format { kTable, kJson, kCsv, kJUnit, kMarkdown, kBenchmark };

// `table`, `json`, `csv`, `junit`, `markdown`, `benchmark`.
std::vector<std::string> FormatNames();
// The error quotes `name` and lists the others.
absl::StatusOr<Format> ParseFormat(absl::string_view name);

std::string Render(const RunResult& result, Format format);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_FORMAT_H_
