// //ci:bisect_step: a step of `git bisect run`.
#include <CLI/CLI.hpp>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ci/bisect/bisect.h"
#include "ci/bisect/bisect_flags.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::ci {
namespace {

constexpr char kDescription[] =
    "Compares the cells of one commit with those of a good one, for `git "
    "bisect run`.\n//ci:bisect needs fewer builds; use this where git decides "
    "what to try.\n";
constexpr char kFooter[] =
    "\nFlags that are not listed go to the suite.\n\n"
    "Example, with the tools in another worktree than the one that git "
    "bisects:\n"
    "  git worktree add ../tools main\n"
    "  git bisect start BAD GOOD\n"
    "  git bisect run ../tools/ci/bisect_step.sh --good=GOOD "
    "--cell='resnet18/*'\n\n"
    "Exit codes, as git expects them: 0 good; 1 bad; 125 the commit cannot be "
    "judged,\nbecause it cannot be built, a measurement is undecided, a flag "
    "is wrong, or the\nmachine failed. The reason is on standard error.";

// `git bisect run` leaves the commit out.
constexpr int kSkip = 125;

absl::StatusOr<int> Step(const CLI::App& app, BisectFlags flags) {
  ASSAY_RETURN_IF_ERROR(FinishBisectFlags(app, "//ci:bisect_step", &flags));
  if (flags.options.good.empty()) {
    return absl::InvalidArgumentError("`--good` is missing; see `--help`");
  }
  ASSAY_ASSIGN_OR_RETURN(const StepResult result, BisectStep(flags.options));
  switch (result) {
    case StepResult::kGood:
      return 0;
    case StepResult::kBad:
      return 1;
    case StepResult::kSkip:
      break;
  }
  return kSkip;
}

int Main(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //ci:bisect_step --");
  app.footer(kFooter);
  BisectFlags flags;
  flags.options.bad = "HEAD";
  DeclareBisectFlags(app, &flags);
  app.add_option("--commit", flags.options.bad,
                 "the commit to judge; default HEAD")
      ->type_name("REV");
  // Without a value if help was asked for, or after an error.
  std::optional<int> code;
  const ExitCode run = static_cast<ExitCode>(
      RunCommand(app, argc, argv, [&]() -> absl::StatusOr<ExitCode> {
        ASSAY_ASSIGN_OR_RETURN(code, Step(app, flags));
        return ExitCode::kPass;
      }));
  return code.value_or(run == ExitCode::kPass ? 0 : kSkip);
}

}  // namespace
}  // namespace assay::ci

int main(int argc, char** argv) { return assay::ci::Main(argc, argv); }
