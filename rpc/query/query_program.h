// The program `query`: prints the devices of a farm, and takes devices out of
// service.
//
//   QueryOptions options;
//   options.client = …;
//   options.json = true;
//   ASSAY_ASSIGN_OR_RETURN(const ExitCode code, RunQuery(options));
#ifndef ASSAY_RPC_QUERY_QUERY_PROGRAM_H_
#define ASSAY_RPC_QUERY_QUERY_PROGRAM_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "rpc/transport/client_options.h"
#include "runtime/base/exit_code.h"

namespace assay::rpc {

struct QueryOptions {
  ClientOptions client = {};
  // The list as JSON instead of tables.
  bool json = false;
  // If positive, the list is printed again and again until SIGTERM or SIGINT.
  // On a terminal, each list replaces the one before.
  int64_t watch_nanos = 0;
  // If one of these names a device, the device is put into quarantine for
  // `reason`, or released from it, instead of printing the list.
  std::string quarantine = {};
  std::string reason = {};
  std::string release = {};

  // The deadline of each call.
  int64_t timeout_nanos = 5'000'000'000;
};

// Prints to standard output. Errors say which tracker has failed:
//   - Unavailable or DeadlineExceeded, if it cannot be reached or does not
//     answer. If a list has been printed already, watching goes on.
//   - PermissionDenied, if it does not know the token, or the token is not of
//     an administrator, which `quarantine` and `release` need.
//   - NotFound, if there is no such device.
absl::StatusOr<ExitCode> RunQuery(const QueryOptions& options);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_QUERY_QUERY_PROGRAM_H_
