// Shuffle: puts the elements of a vector in random order.
#ifndef ASSAY_RUNTIME_BASE_SHUFFLE_H_
#define ASSAY_RUNTIME_BASE_SHUFFLE_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/base/random.h"

namespace assay {

// All permutations are equally likely (the algorithm of Fisher and Yates). For
// the same items and the same state of `rng`, the result is the same on every
// machine.
template <typename T>
void Shuffle(std::vector<T>& items, Rng& rng) {
  for (size_t i = items.size(); i > 1; --i) {
    const int64_t other = rng.UniformInt(0, static_cast<int64_t>(i) - 1);
    std::swap(items[i - 1], items[static_cast<size_t>(other)]);
  }
}

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_SHUFFLE_H_
