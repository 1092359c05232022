// The long chaos test: `./bazelw run //tests/farm:chaos`. Prints a table with a
// line for each fault (chaos_run.h), and exits with 5 if something that must
// hold did not.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "tests/farm/chaos/chaos_run.h"
#include "tests/farm/chaos/tools/small_disk.h"

namespace assay {
namespace {

absl::StatusOr<ExitCode> RunIt(ChaosOptions options,
                               const std::string& program) {
  for (const auto& [path, file] :
       {std::pair<std::string*, const char*>{
            &options.programs.tracker, "assay/rpc/tracker/service/tracker"},
        {&options.programs.server, "assay/rpc/server/program/server"},
        {&options.programs.worker, "assay/tests/farm/sleeping_worker"},
        {&options.programs.client, "assay/tests/farm/chaos/chaos_client"},
        {&options.programs.preload,
         "assay/tests/farm/chaos/tools/libwall_clock_preload.so"}}) {
    ASSAY_ASSIGN_OR_RETURN(*path, runtime::FindRunfile(program, file));
  }
  const absl::Status disks = SmallDisk::Prepare();
  if (!disks.ok()) std::cerr << "no small disks: " << disks << "\n";
  options.small_disks = disks.ok();
  ASSAY_ASSIGN_OR_RETURN(const TempDir dir, TempDir::Create("assay_chaos"));
  if (options.folder.empty()) options.folder = dir.path();
  options.progress = true;
  ASSAY_ASSIGN_OR_RETURN(const std::vector<FaultRow> rows, RunChaos(options));
  std::cout << FaultTable(rows);
  const bool holds = std::all_of(rows.begin(), rows.end(),
                                 [](const FaultRow& row) { return row.holds; });
  return holds ? ExitCode::kPass : ExitCode::kInfrastructure;
}

int Main(int argc, char** argv) {
  CLI::App app{"Does to a farm what can happen to one, while users use it."};
  ChaosOptions options;
  std::vector<std::string> groups;
  app.add_option("--devices", options.devices)->capture_default_str();
  app.add_option("--users", options.users)->capture_default_str();
  app.add_option("--kills", options.kills,
                 "of each of tracker, server, worker and user")
      ->capture_default_str();
  app.add_option("--pause", options.pause_s, "mean seconds between two kills")
      ->capture_default_str();
  app.add_option("--scale", options.scale,
                 "how often the other faults happen, relative to the long run")
      ->capture_default_str();
  app.add_option("--only", groups, "the groups of faults that run")
      ->check(CLI::IsMember(ChaosGroups()));
  app.add_option("--seed", options.seed)->capture_default_str();
  app.add_option("--folder", options.folder,
                 "an existing folder that keeps logs and records");
  return RunCommand(app, argc, argv, [&] {
    options.groups.insert(groups.begin(), groups.end());
    options.folder = FromCallersFolder(options.folder);
    return RunIt(options, argv[0]);
  });
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Main(argc, argv); }
