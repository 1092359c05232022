// LockedFile: an open file with an exclusive advisory lock (flock). The lock is
// held while the file is open, so other processes can detect that the file is
// in use. The operating system releases the lock when the process ends, even if
// the process is killed by SIGKILL.
#ifndef ASSAY_REPORTS_STORE_LOCKED_FILE_H_
#define ASSAY_REPORTS_STORE_LOCKED_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

class LockedFile {
 public:
  // Creates a new file for appending. Returns AlreadyExists if the file exists.
  static absl::StatusOr<LockedFile> Create(const std::string& path);
  // Opens an existing file for locking only; Append() then returns an error.
  // Returns NotFound if the file does not exist, and Unavailable if another
  // LockedFile has locked it.
  static absl::StatusOr<LockedFile> Open(const std::string& path);

  LockedFile(LockedFile&& other) noexcept;
  LockedFile& operator=(LockedFile&& other) noexcept;
  ~LockedFile();  // releases the lock

  const std::string& path() const { return path_; }

  // Appends `text` durably: returns after fdatasync has succeeded. If an error
  // is returned, a part of `text` may have been written.
  absl::Status Append(absl::string_view text);

 private:
  LockedFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_;
  std::string path_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_LOCKED_FILE_H_
