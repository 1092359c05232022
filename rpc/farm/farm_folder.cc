#include "rpc/farm/farm_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "rpc/security/private_file.h"
#include "rpc/security/signature.h"
#include "rpc/security/token_file.h"
#include "rpc/transport/certificates.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

// Writes a new token to `path`, and appends its line to `lines`.
absl::Status AddNewToken(Role role, const std::string& name,
                         const std::string& path, std::string* lines) {
  ASSAY_ASSIGN_OR_RETURN(const std::string token, NewToken());
  ASSAY_ASSIGN_OR_RETURN(const std::string line, TokenLine(role, name, token));
  lines->append(line);
  return WritePrivateFile(path, token);
}

// Returns `text` as one word of a shell.
std::string Quoted(const std::string& text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"'", "'\\''"}}), "'");
}

}  // namespace

std::string DeviceFolder(const std::string& folder, const std::string& device) {
  return JoinPath(JoinPath(folder, "devices"), device);
}

absl::Status WriteFarmFolder(const std::string& folder, const std::string& user,
                             const std::vector<std::string>& devices) {
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  if (chmod(folder.c_str(), 0700) != 0) {
    return ErrnoError("protect", folder);
  }
  const std::string tls = JoinPath(folder, "tls");
  ASSAY_RETURN_IF_ERROR(MakeDirs(tls));
  ASSAY_RETURN_IF_ERROR(
      WriteCertificates(tls, {"localhost", "127.0.0.1", "::1"}));
  std::string lines;
  ASSAY_RETURN_IF_ERROR(
      AddNewToken(Role::kAdmin, user, JoinPath(folder, "admin.token"), &lines));
  ASSAY_RETURN_IF_ERROR(
      AddNewToken(Role::kUser, user, JoinPath(folder, "user.token"), &lines));
  for (const std::string& device : devices) {
    const std::string of_device = DeviceFolder(folder, device);
    ASSAY_RETURN_IF_ERROR(MakeDirs(of_device));
    ASSAY_RETURN_IF_ERROR(AddNewToken(Role::kDevice, device,
                                      JoinPath(of_device, "token"), &lines));
  }
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(JoinPath(folder, "tokens"), lines));
  ASSAY_ASSIGN_OR_RETURN(const SigningKey key, SigningKey::Generate());
  const std::string key_path = JoinPath(folder, "client.key");
  unlink(key_path.c_str());
  ASSAY_RETURN_IF_ERROR(key.Write(key_path));
  return key.WritePublic(JoinPath(folder, "trusted_keys.pem"));
}

absl::Status WriteFarmEnvironment(const std::string& folder,
                                  const std::string& tracker) {
  std::string text;
  for (const auto& [variable, value] :
       {std::pair<const char*, std::string>{"ASSAY_TRACKER", tracker},
        {"ASSAY_TLS", JoinPath(folder, "tls")},
        {"ASSAY_TOKEN_FILE", JoinPath(folder, "user.token")},
        {"ASSAY_SIGNING_KEY", JoinPath(folder, "client.key")}}) {
    absl::StrAppend(&text, "export ", variable, "=", Quoted(value), "\n");
  }
  return WriteFileAtomic(JoinPath(folder, "env.sh"), text);
}

}  // namespace assay::rpc
