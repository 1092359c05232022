#include "rpc/security/signature.h"

#include <sys/stat.h>

#include <cstddef>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"

namespace assay::rpc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kArtifact = SignaturePurpose::kArtifact;
constexpr auto kLease = SignaturePurpose::kLease;

// The keys that RFC 8410 publishes as examples.
constexpr char kRfcPrivateKey[] =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n"
    "-----END PRIVATE KEY-----\n";
constexpr char kRfcPublicKey[] =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n"
    "-----END PUBLIC KEY-----\n";
// The same private key, encrypted with a password.
constexpr char kEncryptedKey[] =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgyGTPZ+21TLQICCAAw\n"
    "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEIod1nSLzPX0ifpOtZhfI/cEQAyH\n"
    "MzBS4c4+vJ9pXsmSZV5cjSpUhG2j1USoFqlf+TdRfjHDQhlL3mvoaVP+hpbfIAMg\n"
    "4mprpqUvjMrBioeZYzk=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

// A public key for X25519, which cannot sign.
std::string KeyOfOtherAlgorithm() {
  return absl::StrCat("-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VuAyEA",
                      std::string(43, 'A'), "=\n-----END PUBLIC KEY-----\n");
}

class SignatureTest : public ::testing::Test {
 protected:
  SignatureTest()
      : dir_(*TempDir::Create("signature_test")),
        path_(JoinPath(dir_.path(), "key")),
        digest_(Sha256Hex("abc")) {}

  void Write(absl::string_view contents, mode_t mode) {
    ASSERT_TRUE(WriteFileAtomic(path_, contents).ok());
    ASSERT_EQ(chmod(path_.c_str(), mode), 0);
  }
  absl::Status ReadError() {
    const absl::Status status = SigningKey::Read(path_).status();
    EXPECT_THAT(std::string(status.message()), HasSubstr(path_));
    return status;
  }
  static TrustedKeys Trust(const SigningKey& key) {
    return *TrustedKeys::Parse(*key.PublicPem(), "test");
  }

  TempDir dir_;
  const std::string path_;
  const std::string digest_;
};

TEST_F(SignatureTest, VerifiesWhatWasSigned) {
  const SigningKey key = *SigningKey::Generate();
  const TrustedKeys trusted = Trust(key);
  for (const std::string& message :
       {digest_, std::string(), std::string(100000, 'x'),
        std::string("\0\n\xff", 3)}) {
    const auto signature = key.Sign(kArtifact, message);
    ASSERT_TRUE(signature.ok()) << signature.status();
    EXPECT_EQ(signature->size(), static_cast<size_t>(kSignatureBytes));
    const auto signer = trusted.Verify(kArtifact, message, *signature);
    ASSERT_TRUE(signer.ok()) << signer.status();
    EXPECT_EQ(*signer, "key 1");
  }
}

TEST_F(SignatureTest, RejectsEveryChange) {
  const SigningKey key = *SigningKey::Generate();
  const TrustedKeys trusted = Trust(key);
  const std::string signature = *key.Sign(kArtifact, digest_);
  for (size_t i = 0; i < signature.size(); ++i) {
    for (int bit : {1, 0x80}) {
      std::string changed = signature;
      changed[i] = static_cast<char>(changed[i] ^ bit);
      const auto signer = trusted.Verify(kArtifact, digest_, changed);
      EXPECT_TRUE(absl::IsPermissionDenied(signer.status())) << i;
    }
  }
  for (const std::string& changed :
       {std::string(), signature.substr(1), signature + "0",
        signature + signature, std::string(64, '\0')}) {
    EXPECT_FALSE(trusted.Verify(kArtifact, digest_, changed).ok());
  }
  for (const std::string& message :
       {std::string(), digest_.substr(1), digest_ + "0", "\n" + digest_,
        Sha256Hex("abd")}) {
    EXPECT_FALSE(trusted.Verify(kArtifact, message, signature).ok()) << message;
  }
  EXPECT_TRUE(trusted.Verify(kArtifact, digest_, signature).ok());
}

TEST_F(SignatureTest, SignatureIsValidForOnePurposeOnly) {
  const SigningKey key = *SigningKey::Generate();
  const TrustedKeys trusted = Trust(key);
  const auto as_lease =
      trusted.Verify(kLease, digest_, *key.Sign(kArtifact, digest_));
  EXPECT_TRUE(absl::IsPermissionDenied(as_lease.status())) << as_lease.status();
  EXPECT_THAT(std::string(as_lease.status().message()), HasSubstr("the lease"));
  const auto as_artifact =
      trusted.Verify(kArtifact, digest_, *key.Sign(kLease, digest_));
  EXPECT_TRUE(absl::IsPermissionDenied(as_artifact.status()));
  // The message cannot contain the line of another purpose.
  const std::string forged = *key.Sign(kLease, "assay artifact v1\n" + digest_);
  EXPECT_FALSE(trusted.Verify(kArtifact, digest_, forged).ok());
}

TEST_F(SignatureTest, RejectsKeysThatAreNotTrusted) {
  const SigningKey key = *SigningKey::Generate();
  const TrustedKeys others = Trust(*SigningKey::Generate());
  const auto signer =
      others.Verify(kArtifact, digest_, *key.Sign(kArtifact, digest_));
  EXPECT_TRUE(absl::IsPermissionDenied(signer.status())) << signer.status();
}

// The signatures were computed by `openssl pkeyutl -sign -rawin`.
TEST_F(SignatureTest, SignedTextDoesNotChange) {
  Write(kRfcPrivateKey, 0600);
  const auto key = SigningKey::Read(path_);
  ASSERT_TRUE(key.ok()) << key.status();
  EXPECT_EQ(*key->PublicPem(), kRfcPublicKey);
  EXPECT_EQ(absl::BytesToHexString(*key->Sign(kArtifact, digest_)),
            "db7fc6831dcf7f4678a4eaba1c15735468277907e05eaed2ac2d56559a90f3f3"
            "61781e41bb352b7491b9f8c29ec26a6aeb78716e8a25349a0261f11a2f0f8c01");
  EXPECT_EQ(absl::BytesToHexString(*key->Sign(kLease, digest_)),
            "9d649bf26f57dbc39cc79333138c5f6063d1bb64a14a1f862fbda2f522b93469"
            "e450c653b860eec7b76978752a86ca4829ecbc5e5910a13e0a479451f7328d0c");
}

TEST_F(SignatureTest, KeyFilesRoundTrip) {
  const SigningKey key = *SigningKey::Generate();
  ASSERT_TRUE(key.Write(path_).ok());
  struct stat info;
  ASSERT_EQ(stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
  EXPECT_THAT(*ReadFile(path_), HasSubstr("-----BEGIN PRIVATE KEY-----\n"));
  const auto again = SigningKey::Read(path_);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again->PublicPem(), *key.PublicPem());

  const std::string public_path = JoinPath(dir_.path(), "public");
  ASSERT_TRUE(key.WritePublic(public_path).ok());
  ASSERT_TRUE(key.WritePublic(public_path).ok());
  const auto trusted = TrustedKeys::Load(public_path);
  ASSERT_TRUE(trusted.ok()) << trusted.status();
  EXPECT_TRUE(
      trusted->Verify(kLease, "lease", *again->Sign(kLease, "lease")).ok());
}

TEST_F(SignatureTest, KeyFilesAreNotOverwritten) {
  Write("precious", 0600);
  const absl::Status status = SigningKey::Generate()->Write(path_);
  EXPECT_TRUE(absl::IsAlreadyExists(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(path_));
  EXPECT_EQ(*ReadFile(path_), "precious");
  const std::string missing = JoinPath(dir_.path(), "missing/key");
  EXPECT_TRUE(absl::IsNotFound(SigningKey::Generate()->Write(missing)));
}

TEST_F(SignatureTest, RejectsKeyFilesThatOthersCanAccess) {
  Write(kRfcPrivateKey, 0640);
  EXPECT_TRUE(absl::IsPermissionDenied(ReadError()));
}

TEST_F(SignatureTest, RejectsFilesWithoutPrivateKey) {
  EXPECT_TRUE(absl::IsNotFound(ReadError()));
  for (const std::string& contents :
       {std::string(), std::string("hello"), std::string(kRfcPublicKey),
        std::string(kEncryptedKey), KeyOfOtherAlgorithm(),
        std::string(kRfcPrivateKey).substr(0, 80)}) {
    Write(contents, 0600);
    const absl::Status status = ReadError();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  }
  Write(std::string(1 << 20, '\n') + kRfcPrivateKey, 0600);
  EXPECT_TRUE(absl::IsResourceExhausted(ReadError()));
  const absl::Status folder = SigningKey::Read(dir_.path()).status();
  EXPECT_TRUE(absl::IsInvalidArgument(folder)) << folder;
}

TEST_F(SignatureTest, TrustedKeysHaveNames) {
  const SigningKey alice = *SigningKey::Generate();
  const SigningKey bob = *SigningKey::Generate();
  const auto trusted = TrustedKeys::Parse(
      absl::StrCat("# The keys of our users.\n\n#  alice \r\n",
                   *alice.PublicPem(), kRfcPublicKey, "\n# bob\n\n",
                   *bob.PublicPem(), "# the end"),
      "test");
  ASSERT_TRUE(trusted.ok()) << trusted.status();
  EXPECT_THAT(trusted->names(), ElementsAre("alice", "key 2", "bob"));
  EXPECT_EQ(
      *trusted->Verify(kArtifact, digest_, *alice.Sign(kArtifact, digest_)),
      "alice");
  EXPECT_EQ(*trusted->Verify(kArtifact, digest_, *bob.Sign(kArtifact, digest_)),
            "bob");
}

TEST_F(SignatureTest, RejectsBadFilesOfTrustedKeys) {
  const std::string other = *SigningKey::Generate()->PublicPem();
  const std::string good = kRfcPublicKey;
  struct Case {
    std::string text;
    std::string reason;
  };
  const Case cases[] = {
      {"", "does not contain a public key"},
      {"# alice\n", "does not contain a public key"},
      {good + "hello\n" + other, "line 4 of "},
      {kRfcPrivateKey, "line 1 of "},
      {good + other.substr(0, 60), "is not complete"},
      {good.substr(0, 60) + "\n" + other, "is not a public Ed25519 key"},
      {KeyOfOtherAlgorithm(), "`key 1` in "},
      {"# a\n" + good + "# a\n" + other, "are named `a`"},
      {"# a\n" + good + "# b\n" + good, "the keys `a` and `b` in "},
      {"# key 2\n" + good + other, "are named `key 2`"},
  };
  for (const Case& bad : cases) {
    Write(bad.text, 0644);
    const absl::Status status = TrustedKeys::Load(path_).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    const std::string message(status.message());
    EXPECT_THAT(message, HasSubstr(bad.reason));
    EXPECT_THAT(message, HasSubstr(path_));
    EXPECT_THAT(message, Not(HasSubstr("MC4CAQAw")));
  }
  const std::string missing = JoinPath(dir_.path(), "missing");
  EXPECT_TRUE(absl::IsNotFound(TrustedKeys::Load(missing).status()));
}

TEST_F(SignatureTest, LimitsTheNumberOfTrustedKeys) {
  std::string text;
  for (int i = 0; i < 101; ++i) {
    text += *SigningKey::Generate()->PublicPem();
    if (i == 99) {
      EXPECT_TRUE(TrustedKeys::Parse(text, "test").ok());
    }
  }
  EXPECT_TRUE(
      absl::IsResourceExhausted(TrustedKeys::Parse(text, "test").status()));
}

}  // namespace
}  // namespace assay::rpc
