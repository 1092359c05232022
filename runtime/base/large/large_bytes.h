// LargeBytes: a string for the bytes of a model, which can have hundreds of
// megabytes.
//
// A LargeBytes of kLargeBytes or more is stored at the beginning of a huge
// page, and the system is asked for huge pages. Memory of this kind
//   - is filled several times as fast as small pages, because there are few
//     page faults;
//   - satisfies every alignment, so a device can use it as a buffer and need
//     not copy it (Device::AllocateFilled).
// The memory moves with the object, as that of every long string. Shorter ones
// are ordinary strings.
//
//   ASSAY_ASSIGN_OR_RETURN(LargeBytes bytes, ReadLargeFile(path));
#ifndef ASSAY_RUNTIME_BASE_LARGE_LARGE_BYTES_H_
#define ASSAY_RUNTIME_BASE_LARGE_LARGE_BYTES_H_

#include <cstddef>
#include <string>

namespace assay {

// The size and the alignment of a huge page. Bytes of at least this capacity
// are in huge pages.
constexpr size_t kLargeBytes = size_t{1} << 21;

// Allocate memory like operator new, and free it.
void* AllocateLarge(size_t bytes);
void FreeLarge(void* memory, size_t bytes);

// Implements the requirements of the standard library on allocators.
template <typename T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <typename U>
  LargeAllocator(const LargeAllocator<U>&) {}  // NOLINT: conversions are usual

  T* allocate(size_t n) {
    return static_cast<T*>(AllocateLarge(n * sizeof(T)));
  }
  void deallocate(T* memory, size_t n) { FreeLarge(memory, n * sizeof(T)); }

  friend bool operator==(const LargeAllocator&, const LargeAllocator&) {
    return true;
  }
  friend bool operator!=(const LargeAllocator&, const LargeAllocator&) {
    return false;
  }
};

using LargeBytes =
    std::basic_string<char, std::char_traits<char>, LargeAllocator<char>>;

// Shortens `bytes` to `size` bytes, without moving them, and returns the whole
// pages behind them to the system. `size` must not exceed the current size.
void Shorten(LargeBytes* bytes, size_t size);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_LARGE_LARGE_BYTES_H_
