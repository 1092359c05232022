#include "runtime/device/host_memory_device.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/shared_buffer.h"

namespace assay::runtime {
namespace {

constexpr size_t kHugePage = size_t{1} << 21;
// Minimum size of buffers that are backed by huge pages.
constexpr size_t kMinHugePageBuffer = size_t{1} << 14;

// Maximum size of a buffer: the physical memory, because Linux overcommits and
// would kill the process on first use, and at most half the address space.
int64_t MaxBufferBytes() {
  const int64_t memory =
      int64_t{sysconf(_SC_PHYS_PAGES)} * int64_t{sysconf(_SC_PAGESIZE)};
  const int64_t addresses =
      std::numeric_limits<ptrdiff_t>::max() - static_cast<int64_t>(kHugePage);
  return memory > 0 ? std::min(memory, addresses) : addresses;
}

// Maps `bytes` bytes of zeros at a multiple of `alignment`, or returns null.
// Both are multiples of the page size.
void* MapAligned(size_t bytes, size_t alignment) {
  void* const mapped = mmap(nullptr, bytes + alignment, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<uintptr_t>(mapped);
  const uintptr_t aligned = (begin + alignment - 1) / alignment * alignment;
  char* const memory = static_cast<char*>(mapped) + (aligned - begin);
  const size_t before = aligned - begin, after = alignment - before;
  if (before > 0) munmap(mapped, before);
  if (after > 0) munmap(memory + bytes, after);
  return memory;
}

class HostBuffer : public Buffer {
 public:
  HostBuffer(char* memory, int64_t bytes) : Buffer(bytes), memory_(memory) {}

  char* memory() { return memory_; }

 private:
  char* const memory_;
};

class AllocatedBuffer : public HostBuffer {
 public:
  // `mapped` is the size of the mapping, or 0 if `memory` was allocated.
  AllocatedBuffer(void* memory, int64_t bytes, size_t mapped)
      : HostBuffer(static_cast<char*>(memory), bytes), mapped_(mapped) {}
  ~AllocatedBuffer() override {
    if (mapped_ > 0) {
      munmap(memory(), mapped_);
    } else {
      std::free(memory());
    }
  }

 private:
  const size_t mapped_;
};

// A buffer in the memory of a string, whose address must not change if the
// string is moved.
class StringBuffer : public HostBuffer {
 public:
  explicit StringBuffer(LargeBytes bytes)
      : HostBuffer(bytes.data(), static_cast<int64_t>(bytes.size())),
        bytes_(std::move(bytes)) {}

 private:
  const LargeBytes bytes_;
};

}  // namespace

char* HostMemoryDevice::Address(const BufferView& view) {
  return static_cast<HostBuffer*>(view.buffer)->memory() + view.offset;
}

absl::StatusOr<std::unique_ptr<Buffer>> HostMemoryDevice::Allocate(
    int64_t bytes) {
  return Allocate(bytes, /*fault_in=*/true);
}

absl::StatusOr<std::unique_ptr<Buffer>> HostMemoryDevice::AllocateForWriting(
    int64_t bytes) {
  return Allocate(bytes, /*fault_in=*/false);
}

// Clears the memory explicitly to fault in all pages before anything is timed,
// unless `fault_in` is false.
// All but the smallest buffers use huge pages. This reduces TLB misses, which
// matter because every run reads all parameters of a model once; and a small
// model within one huge page maps to the same cache sets in every process. They
// are mapped, not allocated, so that their addresses do not depend on other
// allocations. Memory that AllocateFilled() takes over keeps only its place
// within a huge page.
absl::StatusOr<std::unique_ptr<Buffer>> HostMemoryDevice::Allocate(
    int64_t bytes, bool fault_in) {
  if (bytes < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a buffer cannot have ", bytes, " bytes"));
  }
  void* memory = nullptr;
  size_t mapped = 0;
  bool shared = false;
  if (bytes <= MaxBufferBytes()) {
    const size_t size = static_cast<size_t>(bytes);
    if (size >= kMinHugePageBuffer) {
      mapped = (size / kHugePage + 1) * kHugePage;
      memory = MapAligned(mapped, kHugePage);
      shared = memory != nullptr && MapSharedBuffer(memory, mapped);
      if (memory != nullptr) madvise(memory, mapped, MADV_HUGEPAGE);
    } else {
      (void)MapSharedBuffer(nullptr, 0);
      memory = std::aligned_alloc(
          ASSAY_BUFFER_ALIGNMENT,
          (size / ASSAY_BUFFER_ALIGNMENT + 1) * ASSAY_BUFFER_ALIGNMENT);
    }
  }
  if (memory == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat("not enough memory for a buffer of ", bytes, " bytes"));
  }
  // A new mapping contains zeros. Another process may use shared memory
  // already.
  if (!shared && (fault_in || mapped == 0)) {
    std::memset(memory, 0, static_cast<size_t>(bytes));
  }
  return std::make_unique<AllocatedBuffer>(memory, bytes, mapped);
}

absl::StatusOr<std::unique_ptr<Buffer>> HostMemoryDevice::AllocateFilled(
    LargeBytes bytes) {
  if (bytes.size() < kLargeBytes) {
    return Device::AllocateFilled(std::move(bytes));
  }
  return std::make_unique<StringBuffer>(std::move(bytes));
}

absl::Status HostMemoryDevice::CopyIn(const void* from, const BufferView& to) {
  ASSAY_RETURN_IF_ERROR(CheckView(to));
  if (to.bytes > 0) {
    std::memcpy(Address(to), from, static_cast<size_t>(to.bytes));
  }
  return absl::OkStatus();
}

absl::Status HostMemoryDevice::CopyOut(const BufferView& from, void* to) {
  ASSAY_RETURN_IF_ERROR(CheckView(from));
  if (from.bytes > 0) {
    std::memcpy(to, Address(from), static_cast<size_t>(from.bytes));
  }
  return absl::OkStatus();
}

}  // namespace assay::runtime
