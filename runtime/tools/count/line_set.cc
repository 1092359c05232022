#include "runtime/tools/count/line_set.h"

#include <algorithm>
#include <utility>

namespace assay::runtime {
namespace {

// Returns the slot at which the search for a line begins.
size_t Home(uint64_t line, size_t slots) {
  return static_cast<size_t>((line * 0x9e3779b97f4a7c15u) >> 32) & (slots - 1);
}

}  // namespace

void LineSet::Clear() {
  std::fill(slots_.begin(), slots_.end(), 0);
  size_ = 0;
  recent_ = kNone;
}

void LineSet::Insert(uint64_t line) {
  size_t slot = Home(line, slots_.size());
  while (slots_[slot] != 0) {
    if (slots_[slot] == line + 1) return;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  slots_[slot] = line + 1;
  if (++size_ * 2 > slots_.size()) Grow();
}

void LineSet::Grow() {
  const std::vector<uint64_t> old =
      std::exchange(slots_, std::vector<uint64_t>(slots_.size() * 2));
  size_ = 0;
  for (const uint64_t value : old) {
    if (value != 0) Insert(value - 1);
  }
}

}  // namespace assay::runtime
