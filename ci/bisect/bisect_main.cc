// //ci:bisect: finds the commit that made a cell slower, wrong or larger.
#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ci/bisect/bisect.h"
#include "ci/bisect/bisect_flags.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

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
    "  ./bazelw run //ci:bisect -- --good=HEAD~64 --dry_run\n"
    "  ./bazelw run //ci:bisect -- --bad=HEAD~3 --cause=graph "
    "--cell='resnet18/*'\n\n"
    "Commits that build the same as their neighbours are not built. A commit "
    "whose kernels\nare those of an end is not measured. A bisection that was "
    "interrupted continues if it\nis started again with the same flags. "
    "ci/docs/bisect.md describes the method and the\nreports.\n\n"
    "Exit codes: 0 a commit, or a range where commits in between cannot be "
    "built, was found\nfor every cell; 2 usage; 3 for a cell, nothing was "
    "found, because the ends are equally\ngood; 5 the machine failed.";

constexpr char kGraph[] = "graph";

struct Flags : BisectFlags {
  std::string cause;
};

void Declare(CLI::App& app, Flags* flags) {
  BisectOptions& options = flags->options;
  options.bad = "HEAD";
  DeclareBisectFlags(app, flags);
  app.add_option("--bad", options.bad, "a commit after it; default HEAD")
      ->type_name("REV");
  app.add_option("--error", options.cell.max_error,
                 "probability of a wrong name, at most; default 0.01")
      ->type_name("FRACTION")
      ->check(CLI::Range(1e-9, 0.4));
  app.add_option("--store", options.stores,
                 "stores of results, in which the code of a commit may be "
                 "looked up instead of being built")
      ->type_name("FOLDER");
  app.add_option("--skip", options.skip, "commits that must not be built")
      ->type_name("REV");
  app.add_option("--cause", flags->cause,
                 "`graph`: only compare --bad with its parent, and say which "
                 "pass, schedule step or code generator is the cause")
      ->type_name(kGraph);
  app.add_flag("--descend", options.descend,
               "if the culprit is a merge, bisect what it merged, too");
  app.add_flag("--dry_run", options.dry_run, "only say what would be built");
}

absl::StatusOr<ExitCode> Run(const CLI::App& app, Flags flags) {
  ASSAY_RETURN_IF_ERROR(FinishBisectFlags(app, "//ci:bisect", &flags));
  BisectOptions& options = flags.options;
  if (!flags.cause.empty() && flags.cause != kGraph) {
    return absl::InvalidArgumentError("`--cause` must be `graph`");
  }
  if (options.good.empty()) {
    if (flags.cause.empty()) {
      return absl::InvalidArgumentError("`--good` is missing; see `--help`");
    }
    options.good = options.bad + "^";
  }
  for (std::string& store : options.stores) store = FromCallersFolder(store);
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
