// Choices: a fuzzer's bytes as a sequence of decisions. Equal bytes decide
// alike; where they have run out, every decision is the first possibility.
#ifndef ASSAY_TESTS_FUZZ_CHOICES_H_
#define ASSAY_TESTS_FUZZ_CHOICES_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace assay::fuzz {

class Choices {
 public:
  explicit Choices(absl::Span<const uint8_t> bytes) : bytes_(bytes) {}

  bool AtEnd() const { return next_ >= bytes_.size(); }
  // In [low, high], whose distance is below 256.
  int64_t In(int64_t low, int64_t high) {
    return low + (AtEnd() ? 0 : bytes_[next_++]) % (high - low + 1);
  }
  // An index of a list that is not empty.
  size_t Of(size_t count) {
    return static_cast<size_t>(In(0, static_cast<int64_t>(count) - 1));
  }
  bool Yes() { return In(0, 1) == 1; }

 private:
  const absl::Span<const uint8_t> bytes_;
  size_t next_ = 0;
};

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_CHOICES_H_
