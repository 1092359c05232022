// //ci:bisect: finds the commit that made a cell slower, wrong or larger.
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ci/bisect/bisect.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "suites/machine/source_commit.h"

namespace assay::ci {
namespace {

constexpr char kDescription[] =
    "Finds the commits after --good, up to --bad, that made a cell slower. If "
    "a cell works\nonly at the good end, finds the commit that made it wrong, "
    "made it crash or broke the\nbuild.\n";
constexpr char kFooter[] =
    "\nFlags that are not listed go to the suite, such as --device, --threads "
    "and --fusion\n(`./bazelw run //suites:full -- --help`).\n\n"
    "Examples:\n"
    "  ./bazelw run //ci:bisect -- --good=v1.2 --bad=HEAD "
    "--cell='resnet18/host/fusion_on/*'\n"
    "  ./bazelw run //ci:bisect -- --good=HEAD~64 --cell='mobilenet*' "
    "--metric=size\n"
    "  ./bazelw run //ci:bisect -- --good=HEAD~64 --dry_run\n\n"
    "Commits that build the same as their neighbours are not built. A commit "
    "whose kernels\nare those of an end is not measured. A bisection that was "
    "interrupted continues if it\nis started again with the same flags. "
    "ci/docs/bisect.md describes the method and the\nreports.\n\n"
    "Exit codes: 0 a commit, or a range where commits in between cannot be "
    "built, was found\nfor every cell; 2 usage; 3 for a cell, nothing was "
    "found, because the ends are equally\ngood; 5 the machine failed.";

struct Flags {
  BisectOptions options;
  std::string metric = "auto";
};

void Declare(CLI::App& app, Flags* flags) {
  BisectOptions& options = flags->options;
  options.bad = "HEAD";
  app.add_option("--good", options.good, "a commit before the change; required")
      ->type_name("REV");
  app.add_option("--bad", options.bad, "a commit after it; default HEAD")
      ->type_name("REV");
  app.add_option("--cell", options.cells,
                 "cells to bisect, as --cells of a suite; default all")
      ->type_name("PATTERN");
  app.add_option("--suite", options.suite, "a target of suites/; default full")
      ->type_name("NAME");
  app.add_option("--metric", flags->metric,
                 "what became worse; default auto, which is `outcome` for a "
                 "cell that works only at the good end, and otherwise `time`")
      ->type_name("auto|time|outcome|size|memory");
  app.add_option("--min_change", options.min_change,
                 "smallest relative change to search for; default 0.01")
      ->type_name("FRACTION")
      ->check(CLI::Range(0.0001, 1.0));
  app.add_option("--error", options.max_error,
                 "probability of a wrong name, at most; default 0.01")
      ->type_name("FRACTION")
      ->check(CLI::Range(1e-9, 0.4));
  app.add_option("--budget", options.budget_s,
                 "usual time of a measurement in seconds; default 30")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.1, 3600.0));
  app.add_option("--skip", options.skip, "commits that must not be built")
      ->type_name("REV");
  app.add_option(
         "--out", options.out,
         "folder of builds and results; default one in the user's cache")
      ->type_name("FOLDER");
  app.add_flag("--dry_run", options.dry_run, "only say what would be built");
  app.allow_extras();
}

absl::StatusOr<ExitCode> Run(const CLI::App& app, Flags flags) {
  BisectOptions& options = flags.options;
  options.flags = app.remaining();
  options.workspace = suites::WorkspaceFolder();
  if (options.workspace.empty()) {
    return absl::InvalidArgumentError(
        "start this with `./bazelw run //ci:bisect`");
  }
  if (options.good.empty()) {
    return absl::InvalidArgumentError("`--good` is missing; see `--help`");
  }
  if (flags.metric != "auto") {
    ASSAY_ASSIGN_OR_RETURN(options.metric, ParseMetric(flags.metric));
  }
  options.out = FromCallersFolder(options.out);
  ASSAY_ASSIGN_OR_RETURN(const BisectOutcome outcome, Bisect(options));
  if (!outcome.report.has_value()) return ExitCode::kPass;
  std::cout << FormatMarkdown(*outcome.report)
            << "\nreports: " << JoinPath(outcome.folder, "report.md")
            << ", report.json\n";
  for (const CellResult& cell : outcome.report->cells) {
    if (cell.findings.empty()) return ExitCode::kInconclusive;
  }
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //ci:bisect --");
  app.footer(kFooter);
  Flags flags;
  Declare(app, &flags);
  return RunCommand(app, argc, argv, [&] { return Run(app, flags); });
}

}  // namespace
}  // namespace assay::ci

int main(int argc, char** argv) { return assay::ci::Main(argc, argv); }
