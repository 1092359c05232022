#include "rpc/keys/key_folder.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "rpc/security/private_file.h"
#include "rpc/transport/certificates.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr char kTokens[] = "tokens";

absl::Status MakePrivateFolder(const std::string& path) {
  ASSAY_RETURN_IF_ERROR(MakeDirs(path));
  return chmod(path.c_str(), 0700) == 0 ? absl::OkStatus()
                                        : ErrnoError("protect", path);
}

// Returns true if the line grants the role to the name. The fields are those
// that TokenFile reads, whatever blanks are between them.
bool IsOf(absl::string_view line, Role role, absl::string_view name) {
  const std::vector<absl::string_view> fields =
      absl::StrSplit(absl::StripAsciiWhitespace(line), absl::ByAnyChar(" \t"),
                     absl::SkipEmpty());
  return fields.size() == 3 && fields[0] == RoleName(role) && fields[1] == name;
}

}  // namespace

absl::StatusOr<KeyFolder> KeyFolder::Open(const std::string& path) {
  KeyFolder folder(path);
  if (FileExists(folder.PathOf("ca.key"))) return folder;
  ASSAY_RETURN_IF_ERROR(MakePrivateFolder(path));
  ASSAY_RETURN_IF_ERROR(WriteAuthority(path));
  return folder;
}

std::string KeyFolder::PathOf(const std::string& name) const {
  return JoinPath(path_, name);
}

std::string KeyFolder::TokenPath(Role role, const std::string& name) const {
  return PathOf(absl::StrCat(RoleName(role), "/", name, ".token"));
}

absl::StatusOr<std::string> KeyFolder::AddHost(
    const std::vector<std::string>& hosts) const {
  if (hosts.empty() || hosts[0].empty() || hosts[0][0] == '.' ||
      absl::StrContains(hosts[0], "/")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`", absl::StrJoin(hosts, ","), "` does not start with a host"));
  }
  const std::string path = PathOf(absl::StrCat("hosts/", hosts[0]));
  ASSAY_RETURN_IF_ERROR(IssueCertificate(path_, path, hosts));
  return path;
}

absl::StatusOr<std::string> KeyFolder::AddToken(Role role,
                                                const std::string& name) const {
  ASSAY_ASSIGN_OR_RETURN(const std::string token, NewToken());
  ASSAY_ASSIGN_OR_RETURN(const std::string line, TokenLine(role, name, token));
  ASSAY_ASSIGN_OR_RETURN(const FolderLock lock, FolderLock::Acquire(path_));
  std::string lines;
  if (FileExists(PathOf(kTokens))) {
    ASSAY_ASSIGN_OR_RETURN(lines, ReadFile(PathOf(kTokens)));
    // Somebody may have edited it.
    if (!lines.empty() && lines.back() != '\n') lines += '\n';
  }
  // The tracker knows the token before anybody can use it.
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(PathOf(kTokens), lines + line));
  ASSAY_RETURN_IF_ERROR(MakePrivateFolder(PathOf(RoleName(role))));
  ASSAY_RETURN_IF_ERROR(WritePrivateFile(TokenPath(role, name), token));
  return TokenPath(role, name);
}

absl::Status KeyFolder::RemoveTokens(Role role, const std::string& name,
                                     int keep) const {
  ASSAY_ASSIGN_OR_RETURN(const FolderLock lock, FolderLock::Acquire(path_));
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(PathOf(kTokens)));
  std::vector<std::string> lines = absl::StrSplit(text, '\n');
  int found = 0;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (!IsOf(*line, role, name)) continue;
    // A tracker ignores comments. This one says which token is gone.
    if (++found > keep) *line = absl::StrCat("# revoked: ", *line);
  }
  if (found == 0) {
    return absl::NotFoundError(absl::StrCat("`", PathOf(kTokens),
                                            "` has no token of the ",
                                            RoleName(role), " `", name, "`"));
  }
  return WriteFileAtomic(PathOf(kTokens), absl::StrJoin(lines, "\n"));
}

absl::Status KeyFolder::RetireTokens(Role role, const std::string& name) const {
  return RemoveTokens(role, name, 1);
}

absl::Status KeyFolder::RevokeTokens(Role role, const std::string& name) const {
  ASSAY_RETURN_IF_ERROR(RemoveTokens(role, name, 0));
  const std::string path = TokenPath(role, name);
  return unlink(path.c_str()) == 0 || errno == ENOENT
             ? absl::OkStatus()
             : ErrnoError("remove", path);
}

}  // namespace assay::rpc
