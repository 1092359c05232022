// LockedFile: a file for appending that is locked as long as it is open, so
// that others see that somebody is at it. The lock (flock) goes with the
// process: whatever ends it, SIGKILL too, unlocks.
#ifndef ASSAY_REPORTS_STORE_LOCKED_FILE_H_
#define ASSAY_REPORTS_STORE_LOCKED_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

class LockedFile {
 public:
  // A new, empty file. AlreadyExists if there is one of this name.
  static absl::StatusOr<LockedFile> Create(const std::string& path);
  // One that exists. Unavailable if somebody else has it locked.
  static absl::StatusOr<LockedFile> Open(const std::string& path);

  LockedFile(LockedFile&& other) noexcept;
  LockedFile& operator=(LockedFile&& other) noexcept;
  // Unlocks.
  ~LockedFile();

  const std::string& path() const { return path_; }

  // Appends in one system call, if the system takes it at once, and waits
  // until it is on disk. After an error a part may have been written.
  absl::Status Append(absl::string_view text);

 private:
  LockedFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  int fd_;
  std::string path_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_LOCKED_FILE_H_
