// Sends hostile messages to the programs of a farm:
// `./bazelw run //tests/farm:hostile`. Prints what hostile_run.h describes, and
// exits with 5 if something that must hold did not.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "tests/farm/attack/hostile_run.h"

namespace assay {
namespace {

absl::StatusOr<ExitCode> RunIt(HostileOptions options,
                               const std::string& program) {
  for (const auto& [path, file] :
       {std::pair<std::string*, const char*>{
            &options.tracker_program, "assay/rpc/tracker/service/tracker"},
        {&options.server_program, "assay/rpc/server/program/server"},
        {&options.proxy_program, "assay/rpc/proxy/proxy"},
        {&options.worker_program, "assay/tests/farm/sleeping_worker"},
        {&options.protos, "assay/rpc/proto"}}) {
    ASSAY_ASSIGN_OR_RETURN(*path, runtime::FindRunfile(program, file));
  }
  ASSAY_ASSIGN_OR_RETURN(const TempDir dir, TempDir::Create("assay_hostile"));
  if (options.folder.empty()) options.folder = dir.path();
  options.progress = isatty(STDERR_FILENO) != 0;
  ASSAY_ASSIGN_OR_RETURN(const HostileReport report, RunHostile(options));
  std::cout << report.Text();
  return report.ok() ? ExitCode::kPass : ExitCode::kInfrastructure;
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Starts a tracker, a server and a proxy with a device, and sends hostile "
      "messages to each: fuzzed calls, wrong tokens, ended leases, claims of "
      "1 GiB, path names, truncated uploads, broken HTTP/2 and TLS, floods of "
      "connections and streams, compressed messages. All must "
      "survive, stay small, answer each message with a documented status, and "
      "serve honest users."};
  HostileOptions options;
  int64_t max_memory = options.max_memory_bytes >> 20;
  app.add_option("--messages", options.messages, "to each program")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--connections", options.connections, "at the same time")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  app.add_option("--flood", options.flood_connections,
                 "connections without a token at the same time")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_option("--file_limit", options.file_limit,
                 "open files of each program; 0 for the limit of this one")
      ->capture_default_str();
  app.add_option("--seed", options.seed)->capture_default_str();
  app.add_option("--max_memory", max_memory, "MiB of each program")
      ->capture_default_str();
  app.add_option("--folder", options.folder,
                 "an existing folder that keeps the logs");
  app.footer("Exit codes: 0 everything held; 5 something did not.");
  return RunCommand(app, argc, argv, [&] {
    options.max_memory_bytes = max_memory << 20;
    options.folder = FromCallersFolder(options.folder);
    return RunIt(options, argv[0]);
  });
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) { return assay::Main(argc, argv); }
