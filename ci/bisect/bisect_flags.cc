#include "ci/bisect/bisect_flags.h"

#include <CLI/CLI.hpp>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/machine/source_commit.h"

namespace assay::ci {

void DeclareBisectFlags(CLI::App& app, BisectFlags* flags) {
  WorkbenchOptions& bench = flags->options.bench;
  CellOptions& cell = flags->options.cell;
  app.add_option("--good", flags->options.good,
                 "a commit before the change; required")
      ->type_name("REV");
  app.add_option("--cell", bench.cells,
                 "cells to compare, as --cells of a suite; default all")
      ->type_name("PATTERN");
  app.add_option("--suite", bench.suite, "a target of suites/; default full")
      ->type_name("NAME");
  app.add_option("--metric", flags->metric,
                 "what became worse; default auto, which is `outcome` for a "
                 "cell that works only at the good end, and otherwise `time`")
      ->type_name("auto|time|outcome|size|memory");
  app.add_option("--min_change", cell.min_change,
                 "smallest relative change that counts; default 0.01")
      ->type_name("FRACTION")
      ->check(CLI::Range(0.0001, 1.0));
  app.add_option("--budget", bench.budget_s,
                 "usual time of a measurement in seconds; default 30")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.1, 3600.0));
  app.add_option("--out", bench.out,
                 "folder of builds and results; default one in the user's "
                 "cache")
      ->type_name("FOLDER");
  app.allow_extras();
}

absl::Status FinishBisectFlags(const CLI::App& app, const std::string& program,
                               BisectFlags* flags) {
  WorkbenchOptions& bench = flags->options.bench;
  bench.flags = app.remaining();
  bench.workspace = suites::WorkspaceFolder();
  if (bench.workspace.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("start this with `./bazelw run ", program, "`"));
  }
  if (flags->metric != "auto") {
    ASSAY_ASSIGN_OR_RETURN(flags->options.cell.metric,
                           ParseMetric(flags->metric));
  }
  bench.out = FromCallersFolder(bench.out);
  return absl::OkStatus();
}

}  // namespace assay::ci
