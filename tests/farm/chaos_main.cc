// The long chaos test: `./bazelw run //tests/farm:chaos`. Prints the counts of
// chaos_run.h, and exits with 5 if something that must hold did not.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "tests/farm/chaos_run.h"

namespace assay {
namespace {

absl::StatusOr<ExitCode> RunIt(ChaosOptions options,
                               const std::string& program) {
  for (const auto& [path, file] :
       {std::pair<std::string*, const char*>{
            &options.tracker_program, "assay/rpc/tracker/service/tracker"},
        {&options.server_program, "assay/rpc/server/program/server"},
        {&options.worker_program, "assay/tests/farm/sleeping_worker"},
        {&options.client_program, "assay/tests/farm/chaos_client"}}) {
    ASSAY_ASSIGN_OR_RETURN(*path, runtime::FindRunfile(program, file));
  }
  ASSAY_ASSIGN_OR_RETURN(const TempDir dir, TempDir::Create("assay_chaos"));
  if (options.folder.empty()) options.folder = dir.path();
  options.progress = isatty(STDERR_FILENO) != 0;
  ASSAY_ASSIGN_OR_RETURN(const ChaosReport report, RunChaos(options));
  std::cout << report.Text();
  return report.ok() ? ExitCode::kPass : ExitCode::kInfrastructure;
}

int Main(int argc, char** argv) {
  CLI::App app{"Kills programs of a farm while users compare programs on it."};
  ChaosOptions options;
  int kills = 50;
  app.add_option("--devices", options.devices)->capture_default_str();
  app.add_option("--clients", options.clients)->capture_default_str();
  app.add_option("--kills", kills, "of each of tracker, server, worker, client")
      ->capture_default_str();
  app.add_option("--pause", options.pause_s, "mean seconds between two kills")
      ->capture_default_str();
  app.add_option("--seed", options.seed)->capture_default_str();
  app.add_option("--folder", options.folder,
                 "an existing folder that keeps logs and records");
  return RunCommand(app, argc, argv, [&] {
    options.tracker_kills = options.server_kills = kills;
    options.worker_kills = options.client_kills = kills;
    options.folder = FromCallersFolder(options.folder);
    return RunIt(options, argv[0]);
  });
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Main(argc, argv); }
