// //ci:bisect_published: bisects what the newest night of a store published.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "ci/bisect/bisect.h"
#include "ci/bisect/bisect_flags.h"
#include "ci/bisect/published.h"
#include "ci/bisect/suite_comparer.h"
#include "reports/store/history.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::ci {
namespace {

constexpr char kDescription[] =
    "Bisects the regressions that the newest night of a store has published: "
    "cells whose\nprogram changed since the night before, and became slower "
    "when "
    "both were measured side\nby side.\n";
constexpr char kFooter[] =
    "\nFlags that are not listed go to the suite. Reports are written to "
    "STORE/bisections. What\ndoes not fit into the time continues when the "
    "command is given again.\n\n"
    "Example:\n"
    "  ./bazelw run //ci:bisect_published -- --store=/srv/assay "
    "--minutes=60\n\n"
    "Exit codes: 0 all were bisected, or there was none; 2 usage; 3 the time "
    "was over, or\nnothing was found; 5 the machine failed.";

struct Flags : BisectFlags {
  std::string store;
  double minutes = 60;
};

absl::StatusOr<ExitCode> BisectAll(const Flags& flags) {
  const int64_t start = MonotonicNanos();
  const std::string store = FromCallersFolder(flags.store);
  ASSAY_ASSIGN_OR_RETURN(const reports::History history,
                         reports::ReadHistory(store));
  const std::string folder = JoinPath(store, "bisections");
  ExitCode code = ExitCode::kPass;
  for (const PublishedRegression& regression :
       PublishedRegressions(history.runs)) {
    BisectOptions options = flags.options;
    options.good = regression.good;
    options.bad = regression.bad;
    options.stores = {store};
    for (const std::string& cell : regression.cells) {
      options.bench.cells.push_back(PatternOf(cell));
    }
    options.time_limit_s = flags.minutes * 60 -
                           static_cast<double>(MonotonicNanos() - start) / 1e9;
    const auto outcome = Bisect(options);
    if (absl::IsDeadlineExceeded(outcome.status())) {
      std::cerr << outcome.status().message() << "\n";
      code = ExitCode::kInconclusive;
      continue;
    }
    ASSAY_RETURN_IF_ERROR(outcome.status());
    ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
    const std::string name =
        JoinPath(folder, absl::StrCat(regression.good.substr(0, 12), "_",
                                      regression.bad.substr(0, 12)));
    const std::string text = FormatMarkdown(*outcome->report);
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(name + ".md", text));
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(name + ".json", FormatJson(*outcome->report)));
    std::cout << text << "\n";
    for (const CellResult& cell : outcome->report->cells) {
      if (cell.findings.empty()) code = ExitCode::kInconclusive;
    }
  }
  return code;
}

int Main(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //ci:bisect_published --");
  app.footer(kFooter);
  Flags flags;
  app.add_option("--store", flags.store, "folder of the store; required")
      ->type_name("FOLDER");
  app.add_option("--minutes", flags.minutes,
                 "time after which no other build is started; default 60")
      ->check(CLI::Range(0.0, 10000.0));
  app.add_option("--suite", flags.options.bench.suite,
                 "the suite that measured the nights; default full")
      ->type_name("NAME");
  app.allow_extras();
  return RunCommand(app, argc, argv, [&]() -> absl::StatusOr<ExitCode> {
    ASSAY_RETURN_IF_ERROR(
        FinishBisectFlags(app, "//ci:bisect_published", &flags));
    if (flags.store.empty()) {
      return absl::InvalidArgumentError("`--store` is missing; see `--help`");
    }
    return BisectAll(flags);
  });
}

}  // namespace
}  // namespace assay::ci

int main(int argc, char** argv) { return assay::ci::Main(argc, argv); }
