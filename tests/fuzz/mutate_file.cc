#include "tests/fuzz/mutate_file.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/random.h"
#include "tests/fuzz/model_mutator.h"
#include "tests/fuzz/wire_mutator.h"

namespace assay::fuzz {
namespace {

// The longest range of bytes that is removed or repeated.
constexpr size_t kMaxRange = 4096;

// Changes the bytes of a file. Every change makes a different file.
class ByteMutator {
 public:
  ByteMutator(absl::string_view file, Rng& rng) : bytes_(file), rng_(rng) {}

  MutatedFile Mutate() && {
    std::string what = Change();
    return {std::move(bytes_), std::move(what)};
  }

 private:
  // Returns an index in [0, count). Requires count >= 1.
  size_t Pick(size_t count) {
    return static_cast<size_t>(
        rng_.UniformInt(0, static_cast<int64_t>(count) - 1));
  }

  // Returns a number from 1 to `most`. Small numbers are as likely as large
  // ones.
  size_t SomeLength(size_t most) {
    size_t bits = 0;
    while ((most >> bits) != 0) ++bits;
    return 1 + Pick(std::min(most, size_t{2} << Pick(bits)));
  }

  // Returns the index of a byte: any, or one near an end.
  size_t SomePosition() {
    if (Pick(2) == 0) return Pick(bytes_.size());
    const size_t distance = SomeLength(bytes_.size());
    return Pick(2) == 0 ? distance - 1 : bytes_.size() - distance;
  }

  std::string Change() {
    if (bytes_.empty()) return Insert(0);
    const size_t at = SomePosition();
    const size_t length = std::min(SomeLength(kMaxRange), bytes_.size() - at);
    switch (Pick(7)) {
      case 0:
        return Insert(at);
      case 1:
        bytes_.erase(at, length);
        return absl::StrCat("removed ", length, " bytes at ", at);
      case 2:
        bytes_.resize(at);
        return absl::StrCat("cut off all bytes from ", at);
      case 3: {
        const std::string range = bytes_.substr(at, length);
        const size_t to = Pick(2) == 0 ? at : SomePosition();
        bytes_.insert(to, range);
        return absl::StrCat("repeated ", length, " bytes at ", at, " before ",
                            to);
      }
      case 4: {
        const size_t some = std::min<size_t>(length, 16);
        for (size_t i = 0; i < some; ++i) Flip(at + i, 1 + Pick(255));
        return absl::StrCat("changed ", some, " bytes at ", at);
      }
      default: {
        const size_t bit = Pick(8);
        Flip(at, size_t{1} << bit);
        return absl::StrCat("flipped bit ", bit, " of byte ", at);
      }
    }
  }

  void Flip(size_t at, size_t bits) {
    bytes_[at] = static_cast<char>(static_cast<unsigned char>(bytes_[at]) ^
                                   static_cast<unsigned char>(bits));
  }

  std::string Insert(size_t at) {
    std::string inserted(1 + Pick(16), '\0');
    for (char& byte : inserted) byte = static_cast<char>(Pick(256));
    bytes_.insert(at, inserted);
    return absl::StrCat("inserted ", inserted.size(), " bytes at ", at);
  }

  std::string bytes_;
  Rng& rng_;
};

// Changes the structure of a file, which contains `model`. The result may have
// the same bytes, or an empty description if no change was possible.
MutatedFile ChangeStructure(absl::string_view file,
                            const onnx::ModelProto& model, Rng& rng) {
  if (rng.UniformInt(0, 4) == 0) {
    return {MutateModel(file, "", rng), "changed fields of messages"};
  }
  onnx::ModelProto changed = model;
  MutatedFile result;
  result.what = ChangeModel(changed, rng);
  if (rng.UniformInt(0, 3) == 0) {
    const std::string more = ChangeModel(changed, rng);
    if (!more.empty()) absl::StrAppend(&result.what, "; ", more);
  }
  result.bytes = changed.SerializeAsString();
  return result;
}

}  // namespace

MutatedFile MutateFile(absl::string_view file, uint64_t seed) {
  constexpr int kAttempts = 20;
  Rng rng(seed);
  onnx::ModelProto model;
  const bool structure =
      seed % 2 == 1 && file.size() <= std::numeric_limits<int>::max() &&
      model.ParseFromArray(file.data(), static_cast<int>(file.size()));
  if (structure) {
    // The bytes of an unchanged model may differ from those of the file.
    const std::string unchanged = model.SerializeAsString();
    for (int i = 0; i < kAttempts; ++i) {
      MutatedFile result = ChangeStructure(file, model, rng);
      if (!result.what.empty() && result.bytes != file &&
          result.bytes != unchanged) {
        return result;
      }
    }
  }
  return ByteMutator(file, rng).Mutate();
}

}  // namespace assay::fuzz
