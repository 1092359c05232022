// //reports:prune: drops from a store what its policy says nobody needs.
#include <cstdlib>
#include <iostream>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "reports/command.h"
#include "reports/store/retention.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kDescription[] =
    "Drops old records from a store: those that are older than --keep_days, "
    "have\n--keep_per_cell newer ones of their cell and machine, and are of no "
    "baseline.\n";
constexpr char kFooter[] =
    "\nRuns that go on meanwhile are left alone, and so are lines that are not "
    "records.\nWhat was dropped comes back with a merge from a copy that has "
    "it.\n\n"
    "Exit codes: 0 done, be it nothing; 2 usage, or there is no such folder; 5 "
    "the store\ncannot be read or written.";

struct Flags {
  std::string store;
  std::string baselines;
  bool dry_run = false;
  Retention retention;
};

void Declare(CLI::App& app, Flags* flags) {
  const Retention defaults;
  app.add_option("--store", flags->store, "the folder; required")
      ->type_name("FOLDER");
  app.add_option("--keep_days", flags->retention.keep_days,
                 absl::StrCat("default ", defaults.keep_days))
      ->type_name("DAYS")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--keep_per_cell", flags->retention.keep_per_cell,
                 absl::StrCat("default ", defaults.keep_per_cell))
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000'000));
  app.add_option("--baselines", flags->baselines,
                 "whose artifacts are kept; default baselines/ of the "
                 "workspace")
      ->type_name("FOLDER");
  app.add_flag("--dry_run", flags->dry_run, "say what would be dropped");
}

absl::StatusOr<std::string> BaselinesFolder(const std::string& flag) {
  const std::string given = FromCallersFolder(flag);
  if (!given.empty()) {
    if (FileExists(given)) return given;
    return absl::InvalidArgumentError(
        absl::StrCat("`--baselines` is `", flag, "`, which does not exist"));
  }
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (workspace != nullptr) return JoinPath(workspace, "baselines");
  return absl::InvalidArgumentError(
      "`--baselines` is missing, and the workspace's folder is not known; "
      "start the program with `bazel run`, or give `--baselines`");
}

absl::Status Run(Flags flags) {
  if (flags.store.empty()) {
    return absl::InvalidArgumentError(
        "`--store` is missing; give the folder that runs recorded to (see "
        "`--help`)");
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string baselines,
                         BaselinesFolder(flags.baselines));
  ASSAY_ASSIGN_OR_RETURN(flags.retention.blessed, BlessedArtifacts(baselines));
  ASSAY_ASSIGN_OR_RETURN(const Pruned pruned,
                         Prune(FromCallersFolder(flags.store), flags.retention,
                               absl::Now(), flags.dry_run));
  std::cout << (flags.dry_run ? "would drop " : "dropped ") << pruned.dropped
            << " of " << pruned.records << " records; of those kept, "
            << pruned.young << " are too young, " << pruned.newest
            << " among the newest of their cell, " << pruned.blessed
            << " of a baseline, " << pruned.in_use << " in use\n";
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  CLI::App app(kDescription, "./bazelw run //reports:prune --");
  app.footer(kFooter);
  Flags flags;
  Declare(app, &flags);
  return RunCommand(app, argc, argv, [&] { return Run(std::move(flags)); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Main(argc, argv); }
