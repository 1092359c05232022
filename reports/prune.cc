// //reports:prune: applies the retention policy of a store.
#include <cstdlib>
#include <iostream>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "reports/store/artifact_retention.h"
#include "reports/store/retention.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kDescription[] =
    "Drops old records from a store: those that are older than --keep_days, "
    "have\n--keep_per_cell newer records of the same cell and machine, and are "
    "not in a baseline.\nThen drops the artifacts of --follow that are neither "
    "the newest of a cell nor younger\nthan --keep_artifact_days.\n";
constexpr char kFooter[] =
    "\nRuns in progress and lines that are not valid records are skipped. "
    "Merging with a\ncopy of the store restores the dropped records.\n\n"
    "Exit codes: 0 success; 2 usage, or the folder does not exist; 5 the store "
    "cannot be\nread or written.";

struct Flags {
  std::string store;
  std::string baselines;
  int keep_artifact_days = 30;
  bool dry_run = false;
  Retention retention;
};

void Declare(CLI::App& app, Flags* flags) {
  const Retention defaults;
  app.add_option("--store", flags->store, "folder of the store; required")
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
                 "keep the artifacts of these baselines; default baselines/ of "
                 "the workspace")
      ->type_name("FOLDER");
  app.add_option("--keep_artifact_days", flags->keep_artifact_days,
                 absl::StrCat("default ", flags->keep_artifact_days))
      ->type_name("DAYS")
      ->check(CLI::Range(0, 1'000'000));
  app.add_flag("--dry_run", flags->dry_run, "only count what would be dropped");
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

absl::StatusOr<ExitCode> Run(Flags flags) {
  if (flags.store.empty()) {
    return absl::InvalidArgumentError(
        "`--store` is missing; give the folder of a store (see `--help`)");
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string baselines,
                         BaselinesFolder(flags.baselines));
  ASSAY_ASSIGN_OR_RETURN(flags.retention.blessed, BlessedArtifacts(baselines));
  ASSAY_ASSIGN_OR_RETURN(const Pruned pruned,
                         Prune(FromCallersFolder(flags.store), flags.retention,
                               absl::Now(), flags.dry_run));
  std::cout << (flags.dry_run ? "would drop " : "dropped ") << pruned.dropped
            << " of " << pruned.records << " records; kept: " << pruned.young
            << " younger than --keep_days, " << pruned.newest
            << " among the newest of their cell, " << pruned.blessed
            << " in baselines, " << pruned.in_use << " in use\n";
  ASSAY_ASSIGN_OR_RETURN(
      const PrunedArtifacts artifacts,
      PruneArtifacts(FromCallersFolder(flags.store), flags.keep_artifact_days,
                     absl::Now(), flags.dry_run));
  if (artifacts.artifacts > 0) {
    std::cout << (flags.dry_run ? "would drop " : "dropped ")
              << artifacts.dropped << " of " << artifacts.artifacts
              << " artifacts, " << artifacts.dropped_bytes << " bytes\n";
  }
  return ExitCode::kPass;
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
