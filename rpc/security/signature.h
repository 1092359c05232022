// SigningKey and TrustedKeys: Ed25519 signatures of artifacts and leases.
//
// A client signs the digest of an artifact, and the tracker signs leases. The
// server on a device verifies both:
//
//   SigningKey key = *SigningKey::Read("client.key");
//   std::string signature = *key.Sign(SignaturePurpose::kArtifact, digest);
//
//   TrustedKeys trusted = *TrustedKeys::Load("trusted_keys.pem");
//   absl::StatusOr<std::string> signer =
//       trusted.Verify(SignaturePurpose::kArtifact, digest, signature);
//
// The signed text consists of the line `assay PURPOSE v1` and the message. It
// is never the message alone, so a signature for one purpose is not valid for
// another one, and a key that other programs also use signs nothing for them.
//
// A key file contains one private key in PEM (PKCS#8, not encrypted) and must
// be accessible to its owner only. A file of trusted keys contains public keys
// in PEM, one after another, each with an optional name in the line before:
//
//   # alice
//   -----BEGIN PUBLIC KEY-----
//   MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
//   -----END PUBLIC KEY-----
//
// `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write such
// files, too.
//
// Errors of files name the file. Keys do not change, can be copied, and can be
// used by several threads.
#ifndef ASSAY_RPC_SECURITY_SIGNATURE_H_
#define ASSAY_RPC_SECURITY_SIGNATURE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// EVP_PKEY of libcrypto.
struct evp_pkey_st;

namespace assay::rpc {

enum class SignaturePurpose {
  kArtifact,  // the message is the SHA-256 of the artifact in hexadecimal
  kLease,     // the message is a lease as the tracker writes it
};

// The number of bytes of a signature.
constexpr int kSignatureBytes = 64;

class SigningKey {
 public:
  // Creates a random key.
  static absl::StatusOr<SigningKey> Generate();

  // Returns the errors of ReadPrivateFile(), and InvalidArgument if the file
  // does not contain an Ed25519 key.
  static absl::StatusOr<SigningKey> Read(const std::string& path);

  // Writes the private key with CreatePrivateFile(). It does not replace a
  // file, because a lost key cannot be restored.
  absl::Status Write(const std::string& path) const;

  // Returns the public key in PEM.
  absl::StatusOr<std::string> PublicPem() const;
  // Replaces the file with the public key in PEM.
  absl::Status WritePublic(const std::string& path) const;

  // Returns the signature, which is not text.
  absl::StatusOr<std::string> Sign(SignaturePurpose purpose,
                                   absl::string_view message) const;

 private:
  explicit SigningKey(std::shared_ptr<evp_pkey_st> key);

  std::shared_ptr<evp_pkey_st> key_;
};

class TrustedKeys {
 public:
  // Returns InvalidArgument if the file contains anything except public keys,
  // names, comments (lines with `#`) and empty lines, if it contains no key, or
  // if two keys or two names are equal. The name of a key is the last comment
  // before it, or `key N` for the Nth key of the file.
  static absl::StatusOr<TrustedKeys> Load(const std::string& path);
  // Like Load(), with the contents of the file. `where` appears in errors.
  static absl::StatusOr<TrustedKeys> Parse(absl::string_view text,
                                           const std::string& where);

  // Returns the name of the key that has signed the message for this purpose.
  // Returns PermissionDenied if there is none. `message` and `signature` may
  // come from a hostile client and contain anything.
  absl::StatusOr<std::string> Verify(SignaturePurpose purpose,
                                     absl::string_view message,
                                     absl::string_view signature) const;

  // Returns the names in the order of the file.
  std::vector<std::string> names() const;

 private:
  struct Key {
    std::string name;
    std::shared_ptr<evp_pkey_st> key;
  };

  TrustedKeys() = default;
  absl::Status Add(const std::string& name, absl::string_view pem,
                   const std::string& where);

  std::vector<Key> keys_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SECURITY_SIGNATURE_H_
