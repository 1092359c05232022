// ReadAll: reads an open file to its end, into a string of any type. It
// implements ReadFile() (file.h) and ReadLargeFile() (large/large_file.h);
// these headers describe the contracts.
#ifndef ASSAY_RUNTIME_BASE_READ_ALL_H_
#define ASSAY_RUNTIME_BASE_READ_ALL_H_

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace assay {

// Declared in file.h.
absl::Status ErrnoError(absl::string_view what, const std::string& path);

// Asks for huge pages in a large buffer that has not been written yet: the page
// faults of small pages take longer than reading the file. Errors do not
// matter.
inline void PreferHugePages(char* data, size_t bytes) {
  constexpr size_t kLarge = size_t{8} << 20;
  constexpr uintptr_t kPage = 4096;
  if (bytes < kLarge) return;
  const uintptr_t begin =
      (reinterpret_cast<uintptr_t>(data) + kPage - 1) / kPage * kPage;
  const uintptr_t end =
      (reinterpret_cast<uintptr_t>(data) + bytes) / kPage * kPage;
  (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

// Reads the file `fd`, whose path is `path`.
template <typename String>
absl::StatusOr<String> ReadAll(int fd, const std::string& path,
                               int64_t max_bytes) {
  struct stat info;
  if (fstat(fd, &info) != 0) return ErrnoError("inspect", path);
  const absl::Status too_large = absl::ResourceExhaustedError(absl::StrCat(
      "`", path, "` is larger than the limit of ", max_bytes, " bytes"));
  if (S_ISREG(info.st_mode) && info.st_size > max_bytes) return too_large;

  // One byte more than the size, so reading the end of the file does not
  // reallocate.
  constexpr size_t kChunk = 1 << 18;
  String contents;
  contents.reserve(info.st_size > 0 ? static_cast<size_t>(info.st_size) + 1
                                    : kChunk);
  PreferHugePages(contents.data(), contents.capacity());
  while (true) {
    const size_t old_size = contents.size();
    contents.resize(contents.capacity() > old_size ? contents.capacity()
                                                   : old_size + kChunk);
    const ssize_t n = read(fd, &contents[old_size], contents.size() - old_size);
    if (n < 0 && errno != EINTR) return ErrnoError("read", path);
    contents.resize(old_size + static_cast<size_t>(std::max<ssize_t>(n, 0)));
    if (static_cast<int64_t>(contents.size()) > max_bytes) return too_large;
    if (n == 0) return contents;
  }
}

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_READ_ALL_H_
