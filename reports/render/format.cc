#include "reports/render/format.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/render/benchmark_json.h"
#include "reports/render/junit.h"
#include "reports/render/markdown.h"
#include "reports/render/results_csv.h"
#include "reports/render/table.h"
#include "reports/result/results_json.h"

namespace assay::reports {
namespace {

struct Entry {
  Format format;
  const char* name;
  std::string (*render)(const RunResult& result);
};
constexpr Entry kFormats[] = {
    {Format::kTable, "table", ResultsTable},
    {Format::kJson, "json", ResultsJson},
    {Format::kCsv, "csv", ResultsCsv},
    {Format::kJUnit, "junit", JUnitXml},
    {Format::kMarkdown, "markdown", MarkdownSummary},
    {Format::kBenchmark, "benchmark", BenchmarkJson},
};

}  // namespace

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const Entry& entry : kFormats) names.push_back(entry.name);
  return names;
}

absl::StatusOr<Format> ParseFormat(absl::string_view name) {
  for (const Entry& entry : kFormats) {
    if (name == entry.name) return entry.format;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no format `", name, "`; there are ",
                   absl::StrJoin(FormatNames(), ", ")));
}

std::string Render(const RunResult& result, Format format) {
  for (const Entry& entry : kFormats) {
    if (format == entry.format) return entry.render(result);
  }
  return "";
}

}  // namespace assay::reports
