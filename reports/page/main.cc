// //reports:page: writes the results of many runs as one HTML page.
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "reports/page/page.h"
#include "reports/render/benchmark_json.h"
#include "reports/result/results_json.h"
#include "reports/store/access/store_access.h"
#include "reports/store/history.h"
#include "reports/store/record_log.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kDescription[] =
    "Writes the history of runs as one self-contained HTML page. For each cell "
    "it shows\nthe newest verdict, the nightly latencies with confidence "
    "intervals, changes of\nthe program, the method and the machine, and the "
    "command that repeats the measurement.\n";
constexpr char kFooter[] =
    "\nRuns are read from a store, from `results.json` files, which every "
    "suite writes with\n--out=FOLDER, and from JSON files of Google "
    "Benchmark, in any order and combination.\nThe coverage refers to the "
    "newest run of each suite.\n\n"
    "  bazel run //reports:page -- --store=/srv/assay --out=/tmp/page.html\n"
    "  bazel run //reports:page -- --out=/tmp/page.html "
    "/tmp/*/results.json\n\n"
    "Exit codes: 0 success; 2 usage, or an input is missing or malformed; 5 "
    "the page cannot\nbe written.";

struct Options {
  std::string out;
  std::string store;
  std::vector<std::string> results;
};

absl::StatusOr<std::vector<RunResult>> ReadRuns(const Options& options) {
  std::vector<RunResult> history;
  if (!options.store.empty()) {
    ASSAY_ASSIGN_OR_RETURN(History store, ReadStore(options.store));
    for (const CorruptRecord& record : store.corrupt_records) {
      std::cerr << "skipped: " << Describe(record) << "\n";
    }
    history = std::move(store.runs);
  }
  for (const std::string& path : options.results) {
    ASSAY_ASSIGN_OR_RETURN(const std::string text,
                           ReadFile(FromCallersFolder(path)));
    absl::StatusOr<RunResult> result = ParseResultsJson(text);
    absl::StatusOr<RunResult> benchmarks = ParseBenchmarkJson(text);
    if (benchmarks.ok()) result = std::move(benchmarks);
    if (!result.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", path, "`: ", result.status().message()));
    }
    history.push_back(*std::move(result));
  }
  return history;
}

absl::StatusOr<ExitCode> Run(const Options& options) {
  if (options.store.empty() && options.results.empty()) {
    return absl::InvalidArgumentError(
        "no results were given; name `--store` or `results.json` files, or see "
        "--help");
  }
  ASSAY_ASSIGN_OR_RETURN(std::vector<RunResult> history, ReadRuns(options));
  // Runs with the same start time keep their order.
  std::multimap<std::string, RunResult> by_start;
  for (RunResult& run : history) {
    by_start.emplace(run.started_at, std::move(run));
  }
  history.clear();
  for (auto& [start, run] : by_start) history.push_back(std::move(run));
  const absl::Status written =
      WriteFileAtomic(FromCallersFolder(options.out), RenderPage(history));
  if (!written.ok()) return absl::UnavailableError(written.message());
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app(kDescription, "//reports:page");
  app.footer(kFooter);
  app.add_option("--out", options.out, "HTML file to write")
      ->required()
      ->option_text("FILE");
  app.add_option("--store", options.store, "store to read runs from")
      ->option_text("FOLDER|postgres://USER@HOST/DATABASE");
  app.add_option("RESULTS", options.results, "results of single runs")
      ->option_text("FILES");
  return RunCommand(app, argc, argv, [&] { return Run(options); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Main(argc, argv); }
