#include "runtime/base/large/large_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
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

// The pages remain allocated. They contain zeros when they are used again.
void Shorten(LargeBytes* bytes, size_t size) {
  bytes->resize(size);
  if (bytes->capacity() < kLargeBytes) return;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto data = reinterpret_cast<uintptr_t>(bytes->data());
  // A string ends with a zero, which is not part of its size.
  const uintptr_t begin = (data + size + 1 + page - 1) / page * page;
  const uintptr_t end = (data + bytes->capacity()) / page * page;
  if (begin < end) {
    (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  }
}

}  // namespace assay
