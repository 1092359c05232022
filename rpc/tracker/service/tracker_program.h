// The program //rpc:tracker: serves TrackerService until a signal stops it.
#ifndef ASSAY_RPC_TRACKER_SERVICE_TRACKER_PROGRAM_H_
#define ASSAY_RPC_TRACKER_SERVICE_TRACKER_PROGRAM_H_

#include <string>

#include "absl/status/statusor.h"
#include "rpc/transport/credentials.h"
#include "runtime/base/exit_code.h"

namespace assay::rpc {

struct TrackerProgramOptions {
  // `HOST:PORT`; the port 0 stands for a free one.
  std::string listen = "127.0.0.1:9190";
  Transport transport = {};
  // The state folder (tracker_service.h).
  std::string state = {};
  // The file of tokens (rpc/security/token_file.h).
  std::string tokens = {};
  // If not empty, the number of the port is written to this file when the
  // tracker serves.
  std::string port_file = {};
};

// Returns after SIGTERM or SIGINT, within two seconds, or an error if the
// tracker cannot be started. Must be called before other threads are started,
// and once. If the state cannot be stored while the tracker runs, the process
// ends at once with ExitCode::kInfrastructure. The log goes to standard error.
absl::StatusOr<ExitCode> RunTracker(const TrackerProgramOptions& options);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_TRACKER_PROGRAM_H_
