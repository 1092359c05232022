// The proxy of a device farm; see `bazel run //rpc:proxy -- --help`.
#include <CLI/CLI.hpp>
#include <string>

#include "rpc/proxy/proxy_program.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"

namespace assay::rpc {
namespace {

int Main(int argc, char** argv) {
  CLI::App app{
      "Joins clients and devices of a farm that can both only dial out: a "
      "device in a closed network, and a client that cannot reach it. Both "
      "connect to this program, which passes the calls of the client to the "
      "device. It stops on SIGTERM: calls have two seconds to end. Its log, "
      "with a JSON object on each line, goes to standard error. "
      "rpc/docs/farm.md explains devices, leases and tokens."};
  ProxyProgramOptions options;
  app.add_option("--listen", options.listen,
                 "HOST:PORT; the port 0 stands for a free one")
      ->capture_default_str();
  app.add_option("--tokens", options.tokens,
                 "the file with a line `device NAME SHA256_OF_TOKEN` for each "
                 "device that may attach itself. Clients need no token here: "
                 "they show their lease, which the tracker has signed")
      ->required();
  app.add_option("--tls", options.transport.tls_folder,
                 "the folder with server.pem and server.key");
  app.add_flag("--plain_text", options.transport.plain_text,
               "no TLS; only for addresses of this machine, such as 127.0.0.1");
  app.add_option("--port_file", options.port_file,
                 "write the number of the port to this file when the proxy "
                 "serves");
  app.footer(
      "Example, with a device that registers as `proxy.lab:9191/rack1-03`:\n"
      "  proxy --listen=0.0.0.0:9191 --tls=/etc/assay/tls \\\n"
      "      --tokens=/etc/assay/tokens\n"
      "  server --proxy=proxy.lab:9191 …     # on the device\n"
      "Clients need no flag: the tracker tells them the address.\n\n"
      "Exit codes: 0 stopped by a signal; 2 a flag or a file is not usable; "
      "5 the address is in use.");
  return RunCommand(app, argc, argv, [&] {
    for (std::string* path :
         {&options.tokens, &options.transport.tls_folder, &options.port_file}) {
      *path = FromCallersFolder(*path);
    }
    return RunProxy(options);
  });
}

}  // namespace
}  // namespace assay::rpc

int main(int argc, char** argv) { return assay::rpc::Main(argc, argv); }
