// KeyFolder: the secrets of a farm with several machines, in a folder of its
// administrator. Each person and machine gets a copy of its own part:
//
//   ca.pem                for all: the certificate of the authority
//   ca.key                for nobody: signs the certificates of hosts
//   hosts/HOST/           the folder `--tls` of a program on HOST
//   tokens                for the tracker: digests of all tokens
//   admin/NAME.token      for the administrator NAME
//   device/NAME.token     for the board NAME
//   user/NAME.token       for the user NAME
//
//   ASSAY_ASSIGN_OR_RETURN(const KeyFolder keys, KeyFolder::Open(path));
//   ASSAY_RETURN_IF_ERROR(keys.AddHost({"rack1-03.lab", "192.168.1.13"}));
//   ASSAY_RETURN_IF_ERROR(keys.AddToken(Role::kDevice, "rack1-03"));
//
// To replace a token without a pause, add a new one, copy its file to where it
// is used, and retire the old ones: until then, both are valid.
//
// Several programs may change the tokens of a folder at the same time: each
// waits for the others. Errors name the file.
#ifndef ASSAY_RPC_KEYS_KEY_FOLDER_H_
#define ASSAY_RPC_KEYS_KEY_FOLDER_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/security/token_file.h"

namespace assay::rpc {

class KeyFolder {
 public:
  // Opens the folder. If it does not exist, creates it with an authority; only
  // its owner can read it.
  static absl::StatusOr<KeyFolder> Open(const std::string& path);

  // Writes a new certificate for a machine with these names and addresses to
  // `hosts/` and the first of them. Returns the path.
  absl::StatusOr<std::string> AddHost(
      const std::vector<std::string>& hosts) const;

  // Writes a new token and adds its line to `tokens`. Earlier tokens of the
  // name stay valid. Returns the path of the token.
  absl::StatusOr<std::string> AddToken(Role role,
                                       const std::string& name) const;

  // Removes the lines of all tokens of the name but the newest. Returns
  // NotFound if there is none.
  absl::Status RetireTokens(Role role, const std::string& name) const;

  // Removes the lines of all tokens of the name, and the file of the newest.
  // Returns NotFound if there is none.
  absl::Status RevokeTokens(Role role, const std::string& name) const;

 private:
  explicit KeyFolder(std::string path) : path_(std::move(path)) {}

  std::string PathOf(const std::string& name) const;
  std::string TokenPath(Role role, const std::string& name) const;
  absl::Status RemoveTokens(Role role, const std::string& name, int keep) const;

  std::string path_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_KEYS_KEY_FOLDER_H_
