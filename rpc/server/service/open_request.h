// ReadOpen: checks an OpenRequest, which comes from the network.
//
//   ASSAY_ASSIGN_OR_RETURN(const SessionRequest session,
//                          ReadOpen(request, max_threads, *trusted, *blobs));
#ifndef ASSAY_RPC_SERVER_SERVICE_OPEN_REQUEST_H_
#define ASSAY_RPC_SERVER_SERVICE_OPEN_REQUEST_H_

#include "absl/status/statusor.h"
#include "rpc/proto/device.pb.h"
#include "rpc/server/blob_store.h"
#include "rpc/server/service/session_host.h"
#include "rpc/server/trusted_keys_file.h"

namespace assay::rpc {

// Returns what the session runs:
//   INVALID_ARGUMENT   there are not one or two artifacts, a digest is not one,
//                      or there are more than `max_threads` threads
//   PERMISSION_DENIED  no key of `trusted` has signed an artifact
//   NOT_FOUND          `blobs` does not have an artifact
absl::StatusOr<SessionRequest> ReadOpen(const OpenRequest& request,
                                        int max_threads,
                                        TrustedKeysFile& trusted,
                                        BlobStore& blobs);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_SERVICE_OPEN_REQUEST_H_
