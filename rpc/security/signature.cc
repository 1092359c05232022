#include "rpc/security/signature.h"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "rpc/security/private_file.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr char kAlgorithm[] = "ED25519";
constexpr char kBegin[] = "-----BEGIN PUBLIC KEY-----";
constexpr char kEnd[] = "-----END PUBLIC KEY-----";
// Limits for files that are something else by mistake.
constexpr int64_t kMaxTrustedBytes = int64_t{1} << 20;
constexpr size_t kMaxTrustedKeys = 100;

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
};
using Bio = std::unique_ptr<BIO, Free>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Free>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Free>;
using SharedKey = std::shared_ptr<EVP_PKEY>;

// Returns the error of a function of libcrypto that has just failed.
absl::Status CryptoError(absl::string_view what) {
  char reason[256];
  ERR_error_string_n(ERR_peek_last_error(), reason, sizeof(reason));
  ERR_clear_error();
  return absl::InternalError(absl::StrCat("cannot ", what, ": ", reason));
}

SharedKey Share(EVP_PKEY* key) { return SharedKey(key, EVP_PKEY_free); }

// Encrypted keys are not supported. Without this function, libcrypto asks for
// the password on the terminal.
int NoPassword(char*, int, int, void*) { return -1; }

using ReadPem = EVP_PKEY* (*)(BIO*, EVP_PKEY**, pem_password_cb*, void*);

// Returns null if the text is not an Ed25519 key in PEM.
SharedKey ParsePem(absl::string_view text, ReadPem read) {
  const Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  EVP_PKEY* const raw =
      bio == nullptr ? nullptr : read(bio.get(), nullptr, NoPassword, nullptr);
  ERR_clear_error();
  if (raw == nullptr) return nullptr;
  SharedKey key = Share(raw);
  return EVP_PKEY_is_a(raw, kAlgorithm) == 1 ? key : nullptr;
}

absl::string_view ContentsOf(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return absl::string_view(data, size > 0 ? static_cast<size_t>(size) : 0);
}

const char* NameOf(SignaturePurpose purpose) {
  switch (purpose) {
    case SignaturePurpose::kArtifact:
      return "artifact";
    case SignaturePurpose::kLease:
      return "lease";
  }
  return "unknown";
}

// The text that is signed.
std::string SignedText(SignaturePurpose purpose, absl::string_view message) {
  return absl::StrCat("assay ", NameOf(purpose), " v1\n", message);
}

const unsigned char* Bytes(absl::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

bool HasSigned(EVP_PKEY* key, absl::string_view text,
               absl::string_view signature) {
  const DigestContext context(EVP_MD_CTX_new());
  const bool valid =
      context != nullptr &&
      EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key) ==
          1 &&
      EVP_DigestVerify(context.get(), Bytes(signature), signature.size(),
                       Bytes(text), text.size()) == 1;
  ERR_clear_error();
  return valid;
}

}  // namespace

SigningKey::SigningKey(std::shared_ptr<evp_pkey_st> key)
    : key_(std::move(key)) {}

absl::StatusOr<SigningKey> SigningKey::Generate() {
  const KeyContext context(EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nullptr));
  EVP_PKEY* key = nullptr;
  if (context == nullptr || EVP_PKEY_keygen_init(context.get()) != 1 ||
      EVP_PKEY_keygen(context.get(), &key) != 1) {
    return CryptoError("generate an Ed25519 key");
  }
  return SigningKey(Share(key));
}

absl::StatusOr<SigningKey> SigningKey::Read(const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(std::string pem, ReadPrivateFile(path));
  SharedKey key = ParsePem(pem, PEM_read_bio_PrivateKey);
  OPENSSL_cleanse(pem.data(), pem.size());
  if (key == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`", path, "` is not an unencrypted private Ed25519 key in PEM"));
  }
  return SigningKey(std::move(key));
}

absl::Status SigningKey::Write(const std::string& path) const {
  const Bio bio(BIO_new(BIO_s_mem()));  // overwrites its memory at the end
  if (bio == nullptr ||
      PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0,
                                    nullptr, nullptr) != 1) {
    return CryptoError("write a private key as PEM");
  }
  return CreatePrivateFile(path, ContentsOf(bio.get()));
}

absl::StatusOr<std::string> SigningKey::PublicPem() const {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr || PEM_write_bio_PUBKEY(bio.get(), key_.get()) != 1) {
    return CryptoError("write a public key as PEM");
  }
  return std::string(ContentsOf(bio.get()));
}

absl::Status SigningKey::WritePublic(const std::string& path) const {
  ASSAY_ASSIGN_OR_RETURN(const std::string pem, PublicPem());
  return WriteFileAtomic(path, pem);
}

absl::StatusOr<std::string> SigningKey::Sign(SignaturePurpose purpose,
                                             absl::string_view message) const {
  const std::string text = SignedText(purpose, message);
  unsigned char signature[kSignatureBytes];
  size_t size = sizeof(signature);
  const DigestContext context(EVP_MD_CTX_new());
  if (context == nullptr ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr,
                         key_.get()) != 1 ||
      EVP_DigestSign(context.get(), signature, &size, Bytes(text),
                     text.size()) != 1) {
    return CryptoError("sign with an Ed25519 key");
  }
  return std::string(reinterpret_cast<const char*>(signature), size);
}

absl::StatusOr<TrustedKeys> TrustedKeys::Load(const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(const std::string text,
                         ReadFile(path, kMaxTrustedBytes));
  return Parse(text, path);
}

absl::StatusOr<TrustedKeys> TrustedKeys::Parse(absl::string_view text,
                                               const std::string& where) {
  TrustedKeys keys;
  std::string name;
  std::string pem;  // empty outside of a key
  int line_number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++line_number;
    line = absl::StripAsciiWhitespace(line);
    if (!pem.empty()) {
      absl::StrAppend(&pem, line, "\n");
      if (line != kEnd) continue;
      if (name.empty()) name = absl::StrCat("key ", keys.keys_.size() + 1);
      ASSAY_RETURN_IF_ERROR(keys.Add(name, pem, where));
      name.clear();
      pem.clear();
    } else if (line == kBegin) {
      pem = absl::StrCat(line, "\n");
    } else if (!line.empty() && line[0] == '#') {
      name = std::string(absl::StripAsciiWhitespace(line.substr(1)));
    } else if (!line.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", line_number, " of `", where,
                       "` is not a part of a public key in PEM, and does not "
                       "begin with `#`"));
    }
  }
  if (!pem.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the last key of `", where, "` is not complete"));
  }
  if (keys.keys_.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", where, "` does not contain a public key"));
  }
  return keys;
}

absl::Status TrustedKeys::Add(const std::string& name, absl::string_view pem,
                              const std::string& where) {
  SharedKey key = ParsePem(pem, PEM_read_bio_PUBKEY);
  if (key == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`", name, "` in `", where, "` is not a public Ed25519 key in PEM"));
  }
  if (keys_.size() >= kMaxTrustedKeys) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "`", where, "` contains more than ", kMaxTrustedKeys, " keys"));
  }
  for (const Key& other : keys_) {
    if (other.name == name) {
      return absl::InvalidArgumentError(
          absl::StrCat("two keys in `", where, "` are named `", name, "`"));
    }
    if (EVP_PKEY_eq(other.key.get(), key.get()) == 1) {
      return absl::InvalidArgumentError(absl::StrCat("the keys `", other.name,
                                                     "` and `", name, "` in `",
                                                     where, "` are equal"));
    }
  }
  keys_.push_back({name, std::move(key)});
  return absl::OkStatus();
}

absl::StatusOr<std::string> TrustedKeys::Verify(
    SignaturePurpose purpose, absl::string_view message,
    absl::string_view signature) const {
  if (signature.size() == kSignatureBytes) {
    const std::string text = SignedText(purpose, message);
    for (const Key& key : keys_) {
      if (HasSigned(key.key.get(), text, signature)) return key.name;
    }
  }
  return absl::PermissionDeniedError(
      absl::StrCat("the ", NameOf(purpose), " is not signed by any of the ",
                   keys_.size(), " trusted keys"));
}

std::vector<std::string> TrustedKeys::names() const {
  std::vector<std::string> names;
  names.reserve(keys_.size());
  for (const Key& key : keys_) names.push_back(key.name);
  return names;
}

}  // namespace assay::rpc
