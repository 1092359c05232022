#include "runtime/device/shared_buffer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <utility>

namespace assay::runtime {
namespace {

// The file that the next buffer is in; empty if there is none.
std::string& NextFile() {
  static auto* const path = new std::string();
  return *path;
}

}  // namespace

void ShareFirstBuffer(const std::string& path) { NextFile() = path; }

bool MapSharedBuffer(void* memory, size_t bytes) {
  const std::string path = std::exchange(NextFile(), "");
  if (path.empty() || memory == nullptr) return false;
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return false;
  // Extends the file, and never shortens it: the other process may need more.
  const bool extended =
      posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0;
  const bool mapped = extended && mmap(memory, bytes, PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_FIXED | MAP_POPULATE,
                                       file, 0) != MAP_FAILED;
  close(file);
  return mapped;
}

}  // namespace assay::runtime
