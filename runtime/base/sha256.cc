// OpenSSL 3 deprecates the low-level functions in favour of EVP; sha256.h says
// why they are used.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "runtime/base/sha256.h"

#include <openssl/sha.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "runtime/base/check.h"

namespace assay {

struct Sha256::State {
  SHA256_CTX context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  SHA256_Init(&state_->context);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::Update(absl::string_view bytes) {
  CHECK(state_ != nullptr) << "Update after Finish";
  SHA256_Update(&state_->context, bytes.data(), bytes.size());
}

Sha256Digest Sha256::Finish() {
  CHECK(state_ != nullptr) << "Finish called twice";
  Sha256Digest digest;
  SHA256_Final(digest.data(), &state_->context);
  state_.reset();
  return digest;
}

std::string HexOf(const Sha256Digest& digest) {
  return absl::BytesToHexString(absl::string_view(
      reinterpret_cast<const char*>(digest.data()), digest.size()));
}

std::string Sha256Hex(absl::string_view bytes) {
  Sha256 hash;
  hash.Update(bytes);
  return HexOf(hash.Finish());
}

bool IsSha256Hex(absl::string_view text) {
  return text.size() == 2 * Sha256Digest().size() &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return absl::ascii_isdigit(static_cast<unsigned char>(c)) ||
                  (c >= 'a' && c <= 'f');
         });
}

}  // namespace assay
