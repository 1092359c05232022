// Choices: interprets the bytes of a fuzzer as a sequence of decisions. The
// decisions depend only on the bytes; each decision consumes one byte. After
// the last byte, every decision selects the first alternative.
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
  // Returns an integer in [low, high]. Requires 0 <= high - low < 256.
  int64_t In(int64_t low, int64_t high) {
    return low + (AtEnd() ? 0 : bytes_[next_++]) % (high - low + 1);
  }
  // Returns an index in [0, count). Requires 1 <= count <= 256.
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
