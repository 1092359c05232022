// TokenFile: the tokens by which callers prove who they are. Each line of the
// file grants a role to the owner of a token:
//
//   # ROLE NAME SHA256_OF_TOKEN
//   admin alice ba7816bf…f20015ad
//   device rpi3b-1 cb8379ac…f96c5b34
//
// The file contains the digests of the tokens, so whoever reads it cannot use
// them. NewToken() creates a token, and TokenLine() its line:
//
//   std::string token = *NewToken();
//   std::string line = *TokenLine(Role::kUser, "bob", token);
//
//   auto tokens = *TokenFile::Open("/etc/assay/tokens");
//   absl::StatusOr<Identity> caller = tokens->Identify(token);
//
// A changed file is read again while the program runs. The file should be
// replaced by a rename (WriteFileAtomic): otherwise, a part of it can be read.
// A file without entries is valid, and means that no token is. If the file
// cannot be read, or is not valid, the last good version remains in use for a
// minute; then no token is valid until the file is good again, so that a
// revocation has an effect whatever has become of the file.
#ifndef ASSAY_RPC_SECURITY_TOKEN_FILE_H_
#define ASSAY_RPC_SECURITY_TOKEN_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/clock.h"

namespace assay::rpc {

enum class Role { kAdmin, kDevice, kUser };

// Returns `admin`, `device` or `user`.
const char* RoleName(Role role);

struct Identity {
  Role role = Role::kUser;
  std::string name;
};

constexpr size_t kMinTokenLength = 32;
constexpr size_t kMaxTokenLength = 256;

// Returns a random token: 256 bits as 64 hexadecimal digits.
absl::StatusOr<std::string> NewToken();

// Returns the line of a token, with its line break. Returns InvalidArgument
// unless `name` is a name (rpc/names/names.h), and
// `token` has kMinTokenLength to kMaxTokenLength printable characters without
// blanks.
absl::StatusOr<std::string> TokenLine(Role role, absl::string_view name,
                                      absl::string_view token);

class TokenFile {
 public:
  // Errors name the file and the line. A name can have several tokens, but two
  // entries cannot have the same token.
  static absl::StatusOr<std::unique_ptr<TokenFile>> Open(
      const std::string& path, Clock* clock = Clock::Monotonic());
  TokenFile(const TokenFile&) = delete;
  TokenFile& operator=(const TokenFile&) = delete;

  // Returns Unauthenticated if no entry has this token, or if its length is not
  // permitted. Its digest is looked up, so the time says nothing about the
  // tokens. If the last check is a second old, looks whether the file has
  // changed (its inode, size or modification time) and reads it again.
  // Thread-safe.
  absl::StatusOr<Identity> Identify(absl::string_view token);

  struct Health {
    // The error of the last check of the file.
    absl::Status error;
    // Tokens are accepted: there is no error, or not for a minute yet.
    bool usable = true;
  };
  // Checks the file like Identify(). Thread-safe.
  Health Check();

 private:
  struct Entry {
    Identity identity;
    std::string digest;
  };
  struct Version {
    int64_t inode = -1;
    int64_t size = -1;
    int64_t seconds = -1;  // the modification time
    int64_t nanos = -1;
  };
  using Entries = absl::flat_hash_map<std::string, Identity>;  // by digest

  TokenFile(std::string path, Clock* clock);
  static absl::StatusOr<Entries> Parse(absl::string_view text,
                                       const std::string& path);
  static absl::StatusOr<Entry> ParseLine(absl::string_view line);
  static absl::StatusOr<Version> VersionOf(const std::string& path);
  static bool Same(const Version& a, const Version& b);

  // These require the mutex.
  absl::Status Load(const Version& version);
  void Refresh();
  bool IsUsable() const;

  const std::string path_;
  Clock* const clock_;
  std::mutex mutex_;
  int64_t checked_nanos_ = 0;
  int64_t good_nanos_ = 0;  // the last check without an error
  Version version_;         // the last one that was read
  std::shared_ptr<const Entries> entries_;
  absl::Status last_error_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SECURITY_TOKEN_FILE_H_
