// ClientOptions: how a program reaches the tracker, and how it proves who it
// is. All programs that call the tracker have the same flags, each of which can
// be replaced by an environment variable:
//
//   --tracker=HOST:PORT   ASSAY_TRACKER     the address of the tracker
//   --tls=DIR             ASSAY_TLS         the folder of `ca.pem`
//   --plain_text                            instead of TLS, on loopback only
//   --token_file=FILE     ASSAY_TOKEN_FILE  the token of the caller
//
//   ClientFlags flags;
//   flags.tracker = "tracker.lab:9190";
//   if (!HasTracker(flags)) …             // measure without a farm
//   ASSAY_ASSIGN_OR_RETURN(const ClientOptions options,
//                          ReadClientOptions(flags));
//   ASSAY_ASSIGN_OR_RETURN(const auto channel,
//                          OpenChannel(options.transport, options.tracker));
//   …
//   PrepareContext(options.tracker, timeout, &context);
//   AddToken(options.token, &context);
//
// Relative paths are relative to the folder of the user (FromCallersFolder()).
#ifndef ASSAY_RPC_TRANSPORT_CLIENT_OPTIONS_H_
#define ASSAY_RPC_TRANSPORT_CLIENT_OPTIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/credentials.h"

namespace assay::rpc {

// The flags as the user typed them. An empty text means that the flag is not
// there.
struct ClientFlags {
  std::string tracker = {};
  std::string tls = {};
  bool plain_text = false;
  std::string token_file = {};
};

struct ClientOptions {
  Address tracker = {};
  Transport transport = {};
  // The token, and the file from which it was read. A program that runs for
  // long reads the file again before it connects again, because the token may
  // have been replaced.
  std::string token = {};
  std::string token_file = {};
};

// Returns true if a flag or the environment names a tracker.
bool HasTracker(const ClientFlags& flags);

// A flag has precedence over the environment; `plain_text` has precedence over
// ASSAY_TLS. Returns InvalidArgument, with the name of the flag, if a flag is
// missing or not valid, if both `tls` and `plain_text` are given, or if plain
// text is chosen for a tracker on another machine; and the errors of
// ReadToken(). The files of TLS are not read.
absl::StatusOr<ClientOptions> ReadClientOptions(const ClientFlags& flags);

// Reads a file whose only content is a token; line breaks at its end are
// ignored. Returns the errors of ReadPrivateFile(), and InvalidArgument unless
// the file has one token of kMinTokenLength to kMaxTokenLength printable
// characters without blanks. Errors do not contain the token.
absl::StatusOr<std::string> ReadToken(const std::string& path);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRANSPORT_CLIENT_OPTIONS_H_
