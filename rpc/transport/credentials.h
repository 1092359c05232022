// Credentials of the farm's programs: TLS, or plain text on loopback.
//
// A program that listens has a folder with a certificate and its key; a program
// that calls has the certificate of the authority that signed it:
//
//   server.pem  the certificate chain of the program that listens
//   server.key  its private key, which only its owner may read
//   ca.pem      the certificate of the authority
//
// The files are read again when they change, so certificates can be renewed
// while the program runs. Who calls is proved by tokens (rpc/security), not by
// certificates of the callers.
//
// Plain text is for trying things out. It must be asked for by name, and is
// refused for addresses other than those of the loopback interface.
#ifndef ASSAY_RPC_TRANSPORT_CREDENTIALS_H_
#define ASSAY_RPC_TRANSPORT_CREDENTIALS_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/security/server_credentials.h"

namespace assay::rpc {

struct Transport {
  // The folder of the files above. Must be empty for plain text.
  std::string tls_folder;
  bool plain_text = false;
};

// Returns true if all connections to `address`, a `HOST:PORT`, stay on this
// machine: 127.0.0.0/8, ::1, `localhost`, or a Unix socket.
bool IsLoopback(absl::string_view address);

// Returns the credentials of a program that listens on `address`. Returns
// InvalidArgument if neither or both of the kinds are chosen, or if plain text
// is chosen for an address that is not loopback; and NotFound,
// PermissionDenied or InvalidArgument, with the name of the file, if a file of
// TLS is missing, can be read by others, or is not valid.
absl::StatusOr<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(
    const Transport& transport, const std::string& address);

// The same for a program that calls `address`, which needs only `ca.pem`.
absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>>
MakeChannelCredentials(const Transport& transport, const std::string& address);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRANSPORT_CREDENTIALS_H_
