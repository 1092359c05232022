// LineSet: the set of cache lines that a region accesses. A line has 64 bytes
// on every machine, whatever the lines of a particular processor are.
//
// Add() is called for each memory access, so it must be fast: most accesses are
// to the same line as the access before.
#ifndef ASSAY_RUNTIME_TOOLS_COUNT_LINE_SET_H_
#define ASSAY_RUNTIME_TOOLS_COUNT_LINE_SET_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::runtime {

constexpr uint64_t kLineBytes = 64;

class LineSet {
 public:
  LineSet() : slots_(1024) {}

  // Adds the lines of the bytes [address, address + bytes). `bytes` must be
  // positive, and the range must not wrap around.
  void Add(uint64_t address, uint64_t bytes) {
    const uint64_t first = address / kLineBytes;
    const uint64_t last = (address + bytes - 1) / kLineBytes;
    if (first == recent_ && last == recent_) return;
    for (uint64_t line = first; line <= last; ++line) Insert(line);
    recent_ = last;
  }

  size_t size() const { return size_; }
  void Clear();

 private:
  static constexpr uint64_t kNone = ~uint64_t{0};  // is not a line's number

  void Insert(uint64_t line);
  void Grow();

  // A hash table with linear probing. A slot has the number of its line plus 1,
  // or 0 if it is empty. The number of slots is a power of two.
  std::vector<uint64_t> slots_;
  size_t size_ = 0;
  uint64_t recent_ = kNone;  // a line in the set
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_COUNT_LINE_SET_H_
