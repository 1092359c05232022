// Sha256: computes SHA-256, the digest that identifies the content of artifacts
// and models.
//
//   Sha256Hex("abc")  ->  "ba7816bf…15ad"
//
// The implementation calls the low-level functions of libcrypto. If libcrypto
// is linked statically, these functions, unlike the EVP interface, do not pull
// in the rest of the library. This keeps programs for boards small.
#ifndef ASSAY_RUNTIME_BASE_SHA256_H_
#define ASSAY_RUNTIME_BASE_SHA256_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {

using Sha256Digest = std::array<uint8_t, 32>;

// A Sha256 hashes data incrementally: call Update() any number of times, then
// Finish() once.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  // CHECK-fails after Finish().
  void Update(absl::string_view bytes);
  // CHECK-fails if it is called twice.
  Sha256Digest Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns the digest as 64 lower-case hexadecimal digits.
std::string HexOf(const Sha256Digest& digest);

// Returns the SHA-256 of `bytes` as 64 lower-case hexadecimal digits.
std::string Sha256Hex(absl::string_view bytes);

// Returns true if `text` consists of exactly 64 lower-case hexadecimal digits.
// Such a text is safe as the name of a file.
bool IsSha256Hex(absl::string_view text);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_SHA256_H_
