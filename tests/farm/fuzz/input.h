// Input: the bytes of a fuzzer as decisions and texts.
//
//   Input input(bytes);
//   while (!input.AtEnd()) {
//     switch (input.Of(3)) { … }
//   }
//
// At the end of the bytes, all numbers are 0 and all texts are empty.
#ifndef ASSAY_TESTS_FARM_FUZZ_INPUT_H_
#define ASSAY_TESTS_FARM_FUZZ_INPUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace assay::fuzz {

class Input {
 public:
  explicit Input(absl::string_view bytes) : bytes_(bytes) {}
  Input(const uint8_t* data, size_t size)
      : bytes_(reinterpret_cast<const char*>(data), size) {}

  bool AtEnd() const { return bytes_.empty(); }
  int Byte() {
    if (bytes_.empty()) return 0;
    const int byte = static_cast<uint8_t>(bytes_[0]);
    bytes_.remove_prefix(1);
    return byte;
  }
  // Returns a number from 0 to `count` - 1.
  int Of(int count) { return Byte() % count; }
  // Returns a small number, or one with up to eight bytes.
  int64_t Number() {
    const int first = Byte();
    if (first < 200) return first;
    uint64_t number = 0;
    for (int i = 0; i <= first % 8; ++i) {
      number = number << 8 | static_cast<uint64_t>(Byte());
    }
    return static_cast<int64_t>(number);
  }
  // Returns at most 255 bytes.
  std::string Text() {
    const size_t size = static_cast<size_t>(Byte());
    return Take(size);
  }
  std::string Rest() { return Take(bytes_.size()); }

 private:
  std::string Take(size_t size) {
    const std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(std::min(size, bytes_.size()));
    return text;
  }

  absl::string_view bytes_;
};

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FARM_FUZZ_INPUT_H_
