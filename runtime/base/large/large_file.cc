#include "runtime/base/large/large_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "runtime/base/read_all.h"

namespace assay {

absl::StatusOr<LargeBytes> ReadLargeFile(const std::string& path,
                                         int64_t max_bytes) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ErrnoError("open", path);
  absl::StatusOr<LargeBytes> bytes = ReadAll<LargeBytes>(fd, path, max_bytes);
  close(fd);
  return bytes;
}

}  // namespace assay
