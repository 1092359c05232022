// LockedFile: a file for appending that holds an exclusive advisory lock
// (flock) while it is open, so other processes can detect that it is in use.
// The kernel releases the lock when the process ends, even by SIGKILL.
#ifndef ASSAY_REPORTS_STORE_LOCKED_FILE_H_
#define ASSAY_REPORTS_STORE_LOCKED_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

class LockedFile {
 public:
  // Creates a new file. Returns AlreadyExists if it exists.
  static absl::StatusOr<LockedFile> Create(const std::string& path);
  // Opens an existing file for locking only. Returns Unavailable if it is
  // locked by another LockedFile.
  static absl::StatusOr<LockedFile> Open(const std::string& path);

  LockedFile(LockedFile&& other) noexcept;
  LockedFile& operator=(LockedFile&& other) noexcept;
  ~LockedFile();  // releases the lock

  const std::string& path() const { return path_; }

  // Appends `text` and calls fdatasync. After an error, a part of `text` may
  // have been written.
  absl::Status Append(absl::string_view text);

 private:
  LockedFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_;
  std::string path_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_LOCKED_FILE_H_
