#include "rpc/transport/certificates.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "rpc/security/private_file.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int kSerialBits = 127;
constexpr long kYearSeconds = 365L * 24 * 60 * 60;
constexpr int kAuthorityYears = 10;
// Clocks of other machines may be behind.
constexpr long kSecondsBefore = 24L * 60 * 60;
constexpr long kVersion3 = 2;

template <typename T, void (*free)(T*)>
struct Free {
  void operator()(T* object) const { free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509, X509_free>>;
using Extension =
    std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION, X509_EXTENSION_free>>;
using Number = std::unique_ptr<BIGNUM, Free<BIGNUM, BN_free>>;

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
using Bio = std::unique_ptr<BIO, FreeBio>;

absl::Status CryptoError(absl::string_view what) {
  return absl::InternalError(absl::StrCat("libcrypto cannot ", what));
}

bool IsAddress(const std::string& host) {
  in6_addr address;
  return inet_pton(AF_INET, host.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

bool IsName(const std::string& host) {
  for (const char c : host) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '.' &&
        c != '-' && c != '*') {
      return false;
    }
  }
  return !host.empty();
}

absl::StatusOr<std::string> AlternativeNames(
    const std::vector<std::string>& hosts) {
  if (hosts.empty()) {
    return absl::InvalidArgumentError("a certificate needs a host");
  }
  std::vector<std::string> names;
  for (const std::string& host : hosts) {
    if (IsAddress(host)) {
      names.push_back(absl::StrCat("IP:", host));
    } else if (IsName(host)) {
      names.push_back(absl::StrCat("DNS:", host));
    } else {
      return absl::InvalidArgumentError(absl::StrCat(
          "`", host, "` is neither the name nor the IP address of a host"));
    }
  }
  return absl::StrJoin(names, ",");
}

bool AddExtension(X509* certificate, X509* issuer, int nid,
                  const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(
      X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  return extension != nullptr &&
         X509_add_ext(certificate, extension.get(), -1) == 1;
}

// A certificate without extensions, not yet signed.
Certificate NewCertificate(EVP_PKEY* key, const std::string& name, int years) {
  Certificate certificate(X509_new());
  const Number serial(BN_new());
  if (certificate == nullptr || serial == nullptr) return nullptr;
  X509_NAME* subject = X509_get_subject_name(certificate.get());
  const bool ok =
      X509_set_version(certificate.get(), kVersion3) == 1 &&
      BN_rand(serial.get(), kSerialBits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) ==
          1 &&
      BN_to_ASN1_INTEGER(serial.get(),
                         X509_get_serialNumber(certificate.get())) != nullptr &&
      X509_gmtime_adj(X509_getm_notBefore(certificate.get()),
                      -kSecondsBefore) != nullptr &&
      X509_gmtime_adj(X509_getm_notAfter(certificate.get()),
                      years * kYearSeconds) != nullptr &&
      X509_NAME_add_entry_by_txt(
          subject, "CN", MBSTRING_ASC,
          reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1,
          0) == 1 &&
      X509_set_pubkey(certificate.get(), key) == 1;
  return ok ? std::move(certificate) : nullptr;
}

bool Sign(X509* certificate, const X509* issuer, EVP_PKEY* key) {
  return X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) ==
             1 &&
         X509_sign(certificate, key, EVP_sha256()) > 0;
}

absl::StatusOr<std::string> TextOf(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  if (size <= 0) return CryptoError("write a key or certificate");
  return std::string(data, static_cast<size_t>(size));
}

absl::StatusOr<std::string> PemOf(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr || PEM_write_bio_X509(bio.get(), certificate) != 1) {
    return CryptoError("write a certificate");
  }
  return TextOf(bio.get());
}

absl::StatusOr<std::string> PemOf(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (bio == nullptr ||
      PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0,
                                    nullptr, nullptr) != 1) {
    return CryptoError("write a key");
  }
  return TextOf(bio.get());
}

struct Authority {
  Key key;
  Certificate certificate;
};

absl::StatusOr<Authority> NewAuthority(int years) {
  Authority authority;
  authority.key = Key(EVP_EC_gen("P-256"));
  if (authority.key == nullptr) return CryptoError("make a key");
  authority.certificate =
      NewCertificate(authority.key.get(), "Assay farm authority", years);
  X509* const root = authority.certificate.get();
  if (root == nullptr ||
      !AddExtension(root, root, NID_basic_constraints,
                    "critical,CA:TRUE,pathlen:0") ||
      !AddExtension(root, root, NID_key_usage, "critical,keyCertSign") ||
      !AddExtension(root, root, NID_subject_key_identifier, "hash") ||
      !Sign(root, root, authority.key.get())) {
    return CryptoError("make a certificate");
  }
  return authority;
}

absl::StatusOr<Authority> ReadAuthority(const std::string& folder) {
  const std::string key_path = JoinPath(folder, "ca.key");
  const std::string path = JoinPath(folder, "ca.pem");
  ASSAY_ASSIGN_OR_RETURN(const std::string key, ReadPrivateFile(key_path));
  ASSAY_ASSIGN_OR_RETURN(const std::string pem, ReadFile(path));
  const Bio key_bio(BIO_new_mem_buf(key.data(), static_cast<int>(key.size())));
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  if (key_bio == nullptr || bio == nullptr) return CryptoError("read a key");
  Authority authority;
  // The empty password keeps libcrypto from asking for one.
  authority.key = Key(PEM_read_bio_PrivateKey(key_bio.get(), nullptr, nullptr,
                                              const_cast<char*>("")));
  if (authority.key == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", key_path, "` is not a private key in PEM"));
  }
  authority.certificate =
      Certificate(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
  if (authority.certificate == nullptr ||
      X509_check_private_key(authority.certificate.get(),
                             authority.key.get()) != 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`", path, "` is not the certificate of `", key_path, "`"));
  }
  return authority;
}

// Writes the files of a program that listens on `hosts`.
absl::Status Issue(const Authority& authority, const std::string& folder,
                   const std::vector<std::string>& hosts) {
  ASSAY_ASSIGN_OR_RETURN(const std::string names, AlternativeNames(hosts));
  const Key key(EVP_EC_gen("P-256"));
  if (key == nullptr) return CryptoError("make a key");
  const Certificate certificate = NewCertificate(key.get(), "Assay farm", 1);
  X509* const root = authority.certificate.get();
  X509* const leaf = certificate.get();
  if (leaf == nullptr ||
      !AddExtension(leaf, root, NID_basic_constraints, "critical,CA:FALSE") ||
      !AddExtension(leaf, root, NID_key_usage, "critical,digitalSignature") ||
      !AddExtension(leaf, root, NID_ext_key_usage, "serverAuth") ||
      !AddExtension(leaf, root, NID_subject_alt_name, names) ||
      !Sign(leaf, root, authority.key.get())) {
    return CryptoError("make a certificate");
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string authority_pem, PemOf(root));
  ASSAY_ASSIGN_OR_RETURN(const std::string server_pem, PemOf(leaf));
  ASSAY_ASSIGN_OR_RETURN(const std::string key_pem, PemOf(key.get()));
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  ASSAY_RETURN_IF_ERROR(
      WritePrivateFile(JoinPath(folder, "server.key"), key_pem));
  ASSAY_RETURN_IF_ERROR(
      WriteFileAtomic(JoinPath(folder, "server.pem"), server_pem));
  return WriteFileAtomic(JoinPath(folder, "ca.pem"), authority_pem);
}

}  // namespace

absl::Status WriteCertificates(const std::string& folder,
                               const std::vector<std::string>& hosts) {
  ASSAY_ASSIGN_OR_RETURN(const Authority authority, NewAuthority(1));
  return Issue(authority, folder, hosts);
}

absl::Status WriteAuthority(const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(const Authority authority,
                         NewAuthority(kAuthorityYears));
  ASSAY_ASSIGN_OR_RETURN(const std::string key, PemOf(authority.key.get()));
  ASSAY_ASSIGN_OR_RETURN(const std::string pem,
                         PemOf(authority.certificate.get()));
  ASSAY_RETURN_IF_ERROR(CreatePrivateFile(JoinPath(folder, "ca.key"), key));
  return WriteFileAtomic(JoinPath(folder, "ca.pem"), pem);
}

absl::Status IssueCertificate(const std::string& authority,
                              const std::string& folder,
                              const std::vector<std::string>& hosts) {
  ASSAY_ASSIGN_OR_RETURN(const Authority signer, ReadAuthority(authority));
  return Issue(signer, folder, hosts);
}

}  // namespace assay::rpc
