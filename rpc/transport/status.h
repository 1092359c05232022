// Converts errors of the project to errors of gRPC and back. Both have the same
// codes. An error can have a reason (error.proto), which both conversions keep.
#ifndef ASSAY_RPC_TRANSPORT_STATUS_H_
#define ASSAY_RPC_TRANSPORT_STATUS_H_

#include "absl/status/status.h"
#include "grpcpp/support/status.h"
#include "rpc/proto/error.pb.h"

namespace assay::rpc {

// The longest message that is sent, in bytes. gRPC sends messages in headers,
// whose size is limited.
constexpr int kMaxStatusMessage = 2000;

// Returns the error with this reason.
absl::Status WithReason(absl::Status error, ErrorInfo::Reason reason);

// Returns the reason of an error, and OTHER if it has none.
ErrorInfo::Reason ReasonOf(const absl::Status& error);

// A message that is too long is cut and ends with `…`.
grpc::Status ToGrpc(const absl::Status& status);

// A status with a code that does not exist is Unknown.
absl::Status FromGrpc(const grpc::Status& status);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRANSPORT_STATUS_H_
