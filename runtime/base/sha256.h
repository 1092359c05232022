// SHA-256, the digest of artifacts, models and caches.
//
//   Sha256Hex("abc")  ->  "ba7816bf…15ad"
//
// Wraps libcrypto's low-level functions. Unlike the EVP interface they do not
// pull in the rest of the library when linked statically, which keeps programs
// for boards small.
#ifndef ASSAY_RUNTIME_BASE_SHA256_H_
#define ASSAY_RUNTIME_BASE_SHA256_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {

using Sha256Digest = std::array<uint8_t, 32>;

// Incremental hashing: call Update() any number of times, then Finish() once.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void Update(absl::string_view bytes);
  // CHECK-fails when called twice.
  Sha256Digest Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The digest as 64 lower-case hexadecimal digits.
std::string HexOf(const Sha256Digest& digest);

std::string Sha256Hex(absl::string_view bytes);

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_SHA256_H_
