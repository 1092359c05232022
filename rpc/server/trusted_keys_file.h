// TrustedKeysFile: the keys whose artifacts a device runs (signature.h). The
// file is read again when it has changed, so that keys can be added and removed
// while the server runs.
//
//   ASSAY_ASSIGN_OR_RETURN(const auto keys,
//                          TrustedKeysFile::Open("/etc/assay/trusted.pem"));
//   ASSAY_ASSIGN_OR_RETURN(
//       const std::string signer,
//       keys->Verify(SignaturePurpose::kArtifact, digest, signature));
//
// The file should be replaced by a rename (WriteFileAtomic). A file without a
// key means that nobody is trusted. A file that cannot be read, or is not
// valid, leaves the last good version in use for a minute; then nobody is
// trusted until it is good again. Thread-safe.
#ifndef ASSAY_RPC_SERVER_TRUSTED_KEYS_FILE_H_
#define ASSAY_RPC_SERVER_TRUSTED_KEYS_FILE_H_

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "rpc/security/signature.h"
#include "runtime/base/clock.h"

namespace assay::rpc {

class TrustedKeysFile {
 public:
  // Returns the errors of TrustedKeys::Load(). The first file must have a key.
  static absl::StatusOr<std::unique_ptr<TrustedKeysFile>> Open(
      const std::string& path, Clock* clock = Clock::Monotonic());
  TrustedKeysFile(const TrustedKeysFile&) = delete;
  TrustedKeysFile& operator=(const TrustedKeysFile&) = delete;

  // As TrustedKeys::Verify(), and PermissionDenied if nobody is trusted. Looks
  // at the file if the last look is a second old.
  absl::StatusOr<std::string> Verify(SignaturePurpose purpose,
                                     absl::string_view message,
                                     absl::string_view signature);

  struct Health {
    // The error of the last look at the file.
    absl::Status error;
    // The keys are used: there is no error, or not for a minute yet.
    bool usable = true;
  };
  // Looks at the file like Verify().
  Health Check();

 private:
  TrustedKeysFile(std::string path, Clock* clock);

  // Reads the file if it has changed.
  void Refresh();
  void RefreshIfDue();

  const std::string path_;
  Clock* const clock_;
  std::mutex mutex_;
  int64_t checked_nanos_ = 0;
  int64_t good_nanos_ = 0;                   // the last look without an error
  struct stat version_ = {};                 // of the last file that was read
  std::shared_ptr<const TrustedKeys> keys_;  // null if the file has none
  absl::Status last_error_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_TRUSTED_KEYS_FILE_H_
