// PeerStatus: converts the error of a call to an error for the user.
//
// The message may come from a hostile program. It is printed on terminals and
// stored in reports, so it is limited to one line of kMaxStatusMessage bytes of
// valid UTF-8 without control characters; other bytes become `?`.
#ifndef ASSAY_RPC_CLIENT_PEER_STATUS_H_
#define ASSAY_RPC_CLIENT_PEER_STATUS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "grpcpp/support/status.h"

namespace assay::rpc {

absl::Status PeerStatus(const grpc::Status& status);

// Returns the text as one line of valid UTF-8.
std::string OneLine(absl::string_view text);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_PEER_STATUS_H_
