// The tracker of a device farm; see `bazel run //rpc:tracker -- --help`.
#include <CLI/CLI.hpp>
#include <string>

#include "rpc/tracker/service/tracker_program.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"

namespace assay::rpc {
namespace {

int Main(int argc, char** argv) {
  CLI::App app{
      "Serves the tracker of a device farm, which lends devices to clients: it "
      "knows the devices, keeps the queue, and grants leases. It stops on "
      "SIGTERM. Its log, with a JSON object on each line, goes to standard "
      "error. rpc/docs/farm.md explains devices, leases and tokens."};
  TrackerProgramOptions options;
  app.add_option("--listen", options.listen,
                 "HOST:PORT; the port 0 stands for a free one")
      ->capture_default_str();
  app.add_option(
         "--state", options.state,
         "the folder with the state and the key that signs leases; it "
         "is created, and a tracker that starts again continues from it")
      ->required();
  app.add_option("--tokens", options.tokens,
                 "the file with a line `ROLE NAME SHA256_OF_TOKEN` for each "
                 "caller; the roles are admin, device and user")
      ->required();
  app.add_option("--tls", options.transport.tls_folder,
                 "the folder with server.pem and server.key");
  app.add_flag("--plain_text", options.transport.plain_text,
               "no TLS; only for addresses of this machine, such as 127.0.0.1");
  app.add_option("--port_file", options.port_file,
                 "write the number of the port to this file when the tracker "
                 "serves");
  app.footer(
      "Example:\n"
      "  tracker --listen=0.0.0.0:9190 --tls=/etc/assay/tls \\\n"
      "      --tokens=/etc/assay/tokens --state=/var/lib/assay/tracker");
  return RunCommand(app, argc, argv, [&] {
    for (std::string* path :
         {&options.state, &options.tokens, &options.transport.tls_folder,
          &options.port_file}) {
      *path = FromCallersFolder(*path);
    }
    return RunTracker(options);
  });
}

}  // namespace
}  // namespace assay::rpc

int main(int argc, char** argv) { return assay::rpc::Main(argc, argv); }
