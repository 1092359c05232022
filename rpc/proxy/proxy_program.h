// The program //rpc:proxy: serves ProxyService until a signal stops it.
#ifndef ASSAY_RPC_PROXY_PROXY_PROGRAM_H_
#define ASSAY_RPC_PROXY_PROXY_PROGRAM_H_

#include <string>

#include "absl/status/statusor.h"
#include "rpc/transport/credentials.h"
#include "runtime/base/exit_code.h"

namespace assay::rpc {

struct ProxyProgramOptions {
  // `HOST:PORT`; the port 0 stands for a free one.
  std::string listen = "127.0.0.1:9191";
  Transport transport = {};
  // The file of tokens (rpc/security/token_file.h).
  std::string tokens = {};
  // If not empty, the number of the port is written to this file when the proxy
  // serves.
  std::string port_file = {};
};

// Returns after SIGTERM or SIGINT, within five seconds, or an error if the
// proxy cannot be started. Calls may end within two seconds of the signal; then
// they are ended. Must be called before other threads are started, and once.
// The log goes to standard error.
absl::StatusOr<ExitCode> RunProxy(const ProxyProgramOptions& options);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_PROXY_PROGRAM_H_
