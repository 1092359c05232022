#include "rpc/security/constant_time.h"

#include <openssl/crypto.h>

#include "runtime/base/sha256.h"

namespace assay::rpc {
namespace {

Sha256Digest DigestOf(absl::string_view text) {
  Sha256 hash;
  hash.Update(text);
  return hash.Finish();
}

}  // namespace

bool SecretsEqual(absl::string_view a, absl::string_view b) {
  const Sha256Digest digest_a = DigestOf(a);
  const Sha256Digest digest_b = DigestOf(b);
  return CRYPTO_memcmp(digest_a.data(), digest_b.data(), digest_a.size()) == 0;
}

}  // namespace assay::rpc
