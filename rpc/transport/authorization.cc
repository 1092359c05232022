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

}  // namespace

void AddToken(const std::string& token, grpc::ClientContext* context) {
  context->AddMetadata(kKey, absl::StrCat(kScheme, token));
}

absl::StatusOr<Identity> Authorize(
    const std::multimap<grpc::string_ref, grpc::string_ref>& metadata,
    std::initializer_list<Role> roles, TokenFile& tokens) {
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

}  // namespace assay::rpc
