// The program //rpc:server: serves a device of the farm until a signal stops
// it. It joins the parts of rpc/server: the device service with its workers,
// the registration at the tracker, the health of the device and, for devices
// that can only dial out, the agent of the proxy.
#ifndef ASSAY_RPC_SERVER_PROGRAM_SERVER_PROGRAM_H_
#define ASSAY_RPC_SERVER_PROGRAM_SERVER_PROGRAM_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "rpc/server/worker/worker_sandbox.h"
#include "rpc/transport/client_options.h"
#include "rpc/transport/credentials.h"
#include "runtime/base/exit_code.h"

namespace assay::rpc {

struct ServerProgramOptions {
  // Names the board in the farm.
  std::string name = {};
  // The name of the device file whose artifacts the device runs.
  std::string key = {};
  ClientOptions tracker = {};
  // `HOST:PORT`; the port 0 stands for a free one.
  std::string listen = "127.0.0.1:0";
  // What clients call instead of `listen`. Empty if they are the same.
  std::string advertise = {};
  // `HOST:PORT` of a proxy through which clients call the device, or empty.
  std::string proxy = {};
  Transport transport = {};
  // The folder of blobs, of workers, and of the history of the canary.
  std::string state = {};
  // The public keys of those whose artifacts the device runs.
  std::string trusted_keys = {};
  // A text file with DeviceFacts (facts.proto) of an emulated device. If it is
  // empty, the device is this machine.
  std::string facts = {};
  int64_t max_blob_bytes = int64_t{8} << 30;  // of all blobs
  // An unfinished upload to which nothing was added for so long is removed.
  int64_t upload_seconds = 15 * 60;
  SandboxOptions sandbox = {};
  std::string port_file = {};
};

// Returns after SIGTERM or SIGINT, within about three seconds, or an error if
// the server cannot be started. A tracker that does not answer is no error: the
// server tries again. Must be called before other threads are started, and
// once. The log goes to standard error.
absl::StatusOr<ExitCode> RunServer(const ServerProgramOptions& options);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_PROGRAM_SERVER_PROGRAM_H_
