#include "runtime/base/large/large_bytes.h"

#include <sys/mman.h>

#include <new>

namespace assay {
namespace {

constexpr std::align_val_t kHugePage{kLargeBytes};

}  // namespace

// The size is rounded up so that the last page can be a huge one, too.
void* AllocateLarge(size_t bytes) {
  if (bytes < kLargeBytes) return ::operator new(bytes);
  const size_t rounded = (bytes / kLargeBytes + 1) * kLargeBytes;
  void* const memory = ::operator new(rounded, kHugePage);
  // Without huge pages, everything works, only slower.
  (void)madvise(memory, rounded, MADV_HUGEPAGE);
  return memory;
}

void FreeLarge(void* memory, size_t bytes) {
  if (bytes < kLargeBytes) {
    ::operator delete(memory);
  } else {
    ::operator delete(memory, kHugePage);
  }
}

}  // namespace assay
