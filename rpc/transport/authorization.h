// Authorization: the token with which a caller proves who it is.
//
// A client adds its token to each call, as the metadata
// `authorization: Bearer TOKEN`:
//
//   grpc::ClientContext context;
//   AddToken(token, &context);
//
// A server looks it up in its file of tokens:
//
//   ASSAY_ASSIGN_OR_RETURN(
//       const Identity caller,
//       Authorize(context->client_metadata(), {Role::kUser}, tokens));
#ifndef ASSAY_RPC_TRANSPORT_AUTHORIZATION_H_
#define ASSAY_RPC_TRANSPORT_AUTHORIZATION_H_

#include <initializer_list>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/string_ref.h"
#include "rpc/security/token_file.h"

namespace assay::rpc {

void AddToken(const std::string& token, grpc::ClientContext* context);

// Returns who has the token of the call. Returns Unauthenticated if there is no
// token, or several, or an unknown one, and PermissionDenied if the caller has
// none of the roles. An administrator may do whatever a user may do.
absl::StatusOr<Identity> Authorize(
    const std::multimap<grpc::string_ref, grpc::string_ref>& metadata,
    std::initializer_list<Role> roles, TokenFile& tokens);

// The same for a caller who was authorized before, and whose call lasts. Also
// returns Unauthenticated if the token has another owner than `name` now.
absl::Status AuthorizeAgain(const std::string& token, const std::string& name,
                            std::initializer_list<Role> roles,
                            TokenFile& tokens);

// Returns the token of a call. Returns Unauthenticated if there is none, or if
// there are several.
absl::StatusOr<std::string> TokenOf(
    const std::multimap<grpc::string_ref, grpc::string_ref>& metadata);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRANSPORT_AUTHORIZATION_H_
