// The server of a device; see `bazel run //rpc:server -- --help`.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "rpc/server/program/server_program.h"
#include "rpc/transport/client_options.h"
#include "runtime/base/file.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"

namespace assay::rpc {
namespace {

struct Flags {
  ServerProgramOptions server;
  ClientFlags tracker;
  std::string worker_memory;
  std::string blob_space = "8G";
};

// Returns InvalidArgument unless others can call `listen`, or another address
// is named.
absl::Status CheckAddress(const ServerProgramOptions& server) {
  if (!server.advertise.empty() && !server.proxy.empty()) {
    return absl::InvalidArgumentError(
        "--advertise and --proxy are both given; choose one of them");
  }
  if (!server.advertise.empty()) {
    return ParseAddress(server.advertise).status();
  }
  if (!server.proxy.empty()) return ParseAddress(server.proxy).status();
  for (const char* any : {"0.0.0.0:", "[::]:"}) {
    if (server.listen.rfind(any, 0) != 0) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "--listen=", server.listen,
        " needs --advertise=HOST:PORT, where clients call the device"));
  }
  return absl::OkStatus();
}

// Returns the limit for the memory of a worker. Without the flag, the server
// and the system keep a quarter of the memory, which a board of 1 GiB needs.
absl::StatusOr<int64_t> WorkerMemory(const std::string& flag) {
  if (!flag.empty()) return ParseBytes(flag);
  const int64_t memory =
      int64_t{sysconf(_SC_PHYS_PAGES)} * int64_t{sysconf(_SC_PAGE_SIZE)};
  return std::min(memory / 4 * 3, kDefaultMaxMemory);
}

// Returns the worker of a server that was given none: bench_artifact in the
// folder of the program, or else among its runfiles.
absl::StatusOr<std::string> DefaultWorker(const std::string& program) {
  const size_t slash = program.rfind('/');
  const std::string beside =
      JoinPath(slash == std::string::npos ? "." : program.substr(0, slash),
               "bench_artifact");
  if (FileExists(beside)) return beside;
  const auto runfile =
      runtime::FindRunfile(program, "assay/runtime/tools/bench_artifact");
  if (runfile.ok()) return runfile;
  return absl::InvalidArgumentError(
      absl::StrCat("there is no worker `", beside,
                   "`; give --worker=PATH, the path of bench_artifact"));
}

absl::StatusOr<ExitCode> Serve(Flags flags, const std::string& program) {
  ServerProgramOptions& server = flags.server;
  ASSAY_ASSIGN_OR_RETURN(server.tracker, ReadClientOptions(flags.tracker));
  server.transport = server.tracker.transport;
  ASSAY_RETURN_IF_ERROR(CheckAddress(server));
  ASSAY_ASSIGN_OR_RETURN(server.sandbox.max_memory_bytes,
                         WorkerMemory(flags.worker_memory));
  if (server.sandbox.command.empty()) {
    ASSAY_ASSIGN_OR_RETURN(server.sandbox.command.emplace_back(),
                           DefaultWorker(program));
  }
  ASSAY_ASSIGN_OR_RETURN(server.max_blob_bytes, ParseBytes(flags.blob_space));
  for (std::string* path : {&server.state, &server.trusted_keys, &server.facts,
                            &server.port_file}) {
    *path = FromCallersFolder(*path);
  }
  return RunServer(server);
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Serves a device of the farm: registers at the tracker, and runs the "
      "programs of whoever has a lease of the device, each in a confined "
      "process. It stops on SIGTERM. Its log, with a JSON object on each line, "
      "goes to standard error. rpc/docs/boards.md explains how to set up a "
      "board."};
  Flags flags;
  ServerProgramOptions& server = flags.server;
  app.add_option("--name", server.name,
                 "the name of the board; its token must have this name")
      ->required();
  app.add_option("--key", server.key,
                 "the kind of the board: the name of its device file")
      ->required();
  app.add_option("--tracker", flags.tracker.tracker,
                 "HOST:PORT of the tracker; default: $ASSAY_TRACKER");
  app.add_option("--token_file", flags.tracker.token_file,
                 "the file with the token of the device; default: "
                 "$ASSAY_TOKEN_FILE");
  app.add_option("--listen", server.listen,
                 "HOST:PORT; the port 0 stands for a free one")
      ->capture_default_str();
  app.add_option("--advertise", server.advertise,
                 "HOST:PORT that clients call; default: that of --listen");
  app.add_option("--proxy", server.proxy,
                 "HOST:PORT of a proxy through which clients call the device");
  app.add_option("--tls", flags.tracker.tls,
                 "the folder with server.pem, server.key and ca.pem");
  app.add_flag("--plain_text", flags.tracker.plain_text,
               "no TLS; only on this machine");
  app.add_option("--state", server.state,
                 "the folder of uploaded files, of workers, and of the history "
                 "of the canary; it is created")
      ->required();
  app.add_option("--trusted_keys", server.trusted_keys,
                 "the public keys of those whose programs the device runs")
      ->required();
  app.add_option("--worker", server.sandbox.command,
                 "a word of the command line that runs programs: the path of "
                 "bench_artifact, after the words of an emulator if there is "
                 "one; may be repeated; default: bench_artifact in the folder "
                 "of the server")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--worker_memory", flags.worker_memory,
                 "memory of a worker, as in `512M`; default: three quarters of "
                 "that of the board, at most 4G");
  app.add_option("--worker_readable", server.sandbox.readable,
                 "a file or folder that workers may read, such as the sysroot "
                 "of an emulator; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--worker_cpu_seconds", server.sandbox.max_cpu_seconds,
                 "processor time of a worker, over all threads; 0: no limit")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--worker_open_files", server.sandbox.max_open_files,
                 "open files of a worker")
      ->check(CLI::Range(16, 1 << 20))
      ->capture_default_str();
  app.add_option("--worker_threads", server.sandbox.max_threads,
                 "threads of all processes of the user; 0: no limit")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--blob_space", flags.blob_space,
                 "disk space for uploaded files")
      ->capture_default_str();
  app.add_option("--upload_seconds", server.upload_seconds,
                 "how long an upload that was cut may continue")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_option("--facts", server.facts,
                 "a text file with the facts of an emulated device");
  app.add_option("--port_file", server.port_file,
                 "write the number of the port to this file when the server "
                 "listens");
  app.footer(
      "Example:\n"
      "  server --name=rack1-03 --key=rpi3b --tracker=tracker.lab:9190 \\\n"
      "      --token_file=/etc/assay/token --tls=/etc/assay/tls \\\n"
      "      --listen=0.0.0.0:9191 --advertise=rack1-03.lab:9191 \\\n"
      "      --trusted_keys=/etc/assay/trusted_keys.pem \\\n"
      "      --state=/var/lib/assay --worker=/usr/local/bin/bench_artifact");
  return RunCommand(app, argc, argv, [&] { return Serve(flags, argv[0]); });
}

}  // namespace
}  // namespace assay::rpc

int main(int argc, char** argv) { return assay::rpc::Main(argc, argv); }
