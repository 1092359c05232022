#include "rpc/transport/authorization.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr char kKey[] = "authorization";
constexpr char kScheme[] = "Bearer ";

absl::StatusOr<Identity> OwnerOf(const std::string& token,
                                 std::initializer_list<Role> roles,
                                 TokenFile& tokens) {
  ASSAY_ASSIGN_OR_RETURN(Identity caller, tokens.Identify(token));
  std::vector<std::string> names;
  for (const Role role : roles) {
    if (caller.role == role) return caller;
    if (role == Role::kUser && caller.role == Role::kAdmin) return caller;
    names.emplace_back(RoleName(role));
  }
  return absl::PermissionDeniedError(absl::StrCat(
      "the call needs the role ", absl::StrJoin(names, " or "), ", and `",
      caller.name, "` has the role ", RoleName(caller.role)));
}

}  // namespace

void AddToken(const std::string& token, grpc::ClientContext* context) {
  context->AddMetadata(kKey, absl::StrCat(kScheme, token));
}

absl::StatusOr<std::string> TokenOf(
    const std::multimap<grpc::string_ref, grpc::string_ref>& metadata) {
  const auto [begin, end] = metadata.equal_range(kKey);
  if (begin == end) {
    return absl::UnauthenticatedError(
        "the call has no token in the metadata `authorization`");
  }
  if (std::next(begin) != end) {
    return absl::UnauthenticatedError("the call has several tokens");
  }
  absl::string_view token(begin->second.data(), begin->second.size());
  if (!absl::ConsumePrefix(&token, kScheme)) {
    return absl::UnauthenticatedError(
        "the metadata `authorization` is not `Bearer TOKEN`");
  }
  return std::string(token);
}

absl::StatusOr<Identity> Authorize(
    const std::multimap<grpc::string_ref, grpc::string_ref>& metadata,
    std::initializer_list<Role> roles, TokenFile& tokens) {
  ASSAY_ASSIGN_OR_RETURN(const std::string token, TokenOf(metadata));
  return OwnerOf(token, roles, tokens);
}

absl::Status AuthorizeAgain(const std::string& token, const std::string& name,
                            std::initializer_list<Role> roles,
                            TokenFile& tokens) {
  ASSAY_ASSIGN_OR_RETURN(const Identity now, OwnerOf(token, roles, tokens));
  if (now.name == name) return absl::OkStatus();
  return absl::UnauthenticatedError("the token has another owner now");
}

}  // namespace assay::rpc
