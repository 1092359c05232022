#include "rpc/farm/farm_folder.h"

#include <sys/stat.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rpc/security/private_file.h"
#include "rpc/security/signature.h"
#include "rpc/security/token_file.h"
#include "rpc/transport/credentials.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

class FarmFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    const absl::Status status =
        WriteFarmFolder(folder_, "anna", {"host-1", "rpi3b-1"});
    ASSERT_TRUE(status.ok()) << status;
  }

  std::string Token(const std::string& path) {
    return *ReadPrivateFile(JoinPath(folder_, path));
  }

  const TempDir dir_ = *TempDir::Create();
  // The quote tests env.sh.
  const std::string folder_ = JoinPath(dir_.path(), "anna's farm");
};

TEST_F(FarmFolderTest, EachTokenHasItsRole) {
  const auto tokens = TokenFile::Open(JoinPath(folder_, "tokens"));
  ASSERT_TRUE(tokens.ok()) << tokens.status();
  const auto identity = [&](const std::string& path) {
    const Identity identity = *(*tokens)->Identify(Token(path));
    return absl::StrCat(RoleName(identity.role), " ", identity.name);
  };
  EXPECT_EQ(identity("admin.token"), "admin anna");
  EXPECT_EQ(identity("user.token"), "user anna");
  EXPECT_EQ(identity("devices/host-1/token"), "device host-1");
  EXPECT_EQ(identity("devices/rpi3b-1/token"), "device rpi3b-1");
}

TEST_F(FarmFolderTest, TheKeyIsTrusted) {
  const auto key = SigningKey::Read(JoinPath(folder_, "client.key"));
  ASSERT_TRUE(key.ok()) << key.status();
  const std::string signature = *key->Sign(SignaturePurpose::kArtifact, "text");
  const auto trusted = TrustedKeys::Load(JoinPath(folder_, "trusted_keys.pem"));
  ASSERT_TRUE(trusted.ok()) << trusted.status();
  EXPECT_TRUE(
      trusted->Verify(SignaturePurpose::kArtifact, "text", signature).ok());
}

TEST_F(FarmFolderTest, TheCertificatesAreUsable) {
  const Transport transport = {JoinPath(folder_, "tls")};
  EXPECT_TRUE(MakeServerCredentials(transport, "127.0.0.1:0").ok());
}

TEST_F(FarmFolderTest, OtherUsersCannotReadIt) {
  struct stat info = {};
  ASSERT_EQ(stat(folder_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(FarmFolderTest, ASecondFarmHasNewSecretsAndKeepsTheState) {
  const std::string token = Token("user.token");
  const std::string key = Token("client.key");
  const std::string state = JoinPath(folder_, "devices/host-1/blobs");
  ASSERT_TRUE(WriteFileAtomic(state, "kept").ok());
  ASSERT_TRUE(WriteFarmFolder(folder_, "anna", {"host-1"}).ok());
  EXPECT_NE(Token("user.token"), token);
  EXPECT_NE(Token("client.key"), key);
  EXPECT_EQ(*ReadFile(state), "kept");
}

TEST_F(FarmFolderTest, TheEnvironmentIsQuoted) {
  ASSERT_TRUE(WriteFarmEnvironment(folder_, "127.0.0.1:9190").ok());
  const std::string text = *ReadFile(JoinPath(folder_, "env.sh"));
  EXPECT_NE(text.find("export ASSAY_TRACKER='127.0.0.1:9190'\n"),
            std::string::npos);
  EXPECT_NE(text.find("anna'\\''s farm/user.token'\n"), std::string::npos);
}

}  // namespace
}  // namespace assay::rpc
