#include "rpc/keys/key_folder.h"

#include <sys/stat.h>

#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "rpc/security/private_file.h"
#include "rpc/security/token_file.h"
#include "rpc/transport/credentials.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

class KeyFolderTest : public testing::Test {
 protected:
  std::string PathOf(const std::string& name) const {
    return JoinPath(JoinPath(temp_.path(), "farm"), name);
  }
  KeyFolder Open() { return KeyFolder::Open(PathOf("")).value(); }
  static std::string Add(const KeyFolder& keys, Role role,
                         const std::string& name) {
    const auto path = keys.AddToken(role, name);
    EXPECT_TRUE(path.ok()) << path.status();
    return ReadPrivateFile(path.value_or("")).value_or("");
  }
  // The name to which the tracker's file grants the role, or ``.
  std::string NameOf(const std::string& token, Role role) {
    const auto tokens = TokenFile::Open(PathOf("tokens"));
    EXPECT_TRUE(tokens.ok()) << tokens.status();
    const auto identity = (*tokens)->Identify(token);
    return identity.ok() && identity->role == role ? identity->name : "";
  }

  const TempDir temp_ = TempDir::Create().value();
};

TEST_F(KeyFolderTest, OneAuthoritySignsForAllHosts) {
  const auto tracker = Open().AddHost({"localhost", "127.0.0.1"});
  ASSERT_TRUE(tracker.ok()) << tracker.status();
  const std::string authority = ReadFile(PathOf("ca.pem")).value();
  // The folder is opened again, as by a second call of the program.
  const auto board = Open().AddHost({"rack1-03.lab"});
  ASSERT_TRUE(board.ok()) << board.status();
  EXPECT_EQ(*board, PathOf("hosts/rack1-03.lab"));
  EXPECT_EQ(ReadFile(PathOf("ca.pem")).value(), authority);
  for (const std::string& tls : {*tracker, *board}) {
    EXPECT_EQ(ReadFile(JoinPath(tls, "ca.pem")).value(), authority);
    EXPECT_TRUE(MakeServerCredentials({tls}, "0.0.0.0:1").ok());
  }
  struct stat folder;
  ASSERT_EQ(stat(PathOf("").c_str(), &folder), 0);
  EXPECT_EQ(folder.st_mode & 0777, 0700u);
}

TEST_F(KeyFolderTest, TokensAreReplacedInTwoSteps) {
  const KeyFolder keys = Open();
  const std::string other = Add(keys, Role::kUser, "rack1-03");
  const std::string old = Add(keys, Role::kDevice, "rack1-03");
  const std::string fresh = Add(keys, Role::kDevice, "rack1-03");
  EXPECT_EQ(NameOf(old, Role::kDevice), "rack1-03");
  EXPECT_EQ(NameOf(fresh, Role::kDevice), "rack1-03");
  const absl::Status retired = keys.RetireTokens(Role::kDevice, "rack1-03");
  ASSERT_TRUE(retired.ok()) << retired;
  EXPECT_EQ(NameOf(old, Role::kDevice), "");
  EXPECT_EQ(NameOf(fresh, Role::kDevice), "rack1-03");
  EXPECT_EQ(NameOf(other, Role::kUser), "rack1-03");
  // Nothing is left to retire, which is no error.
  EXPECT_TRUE(keys.RetireTokens(Role::kDevice, "rack1-03").ok());
  EXPECT_EQ(NameOf(fresh, Role::kDevice), "rack1-03");
}

TEST_F(KeyFolderTest, RevokedTokensAreWorthNothing) {
  const KeyFolder keys = Open();
  const std::string admin = Add(keys, Role::kAdmin, "alice");
  const std::string user = Add(keys, Role::kUser, "bob");
  ASSERT_TRUE(keys.RevokeTokens(Role::kUser, "bob").ok());
  EXPECT_EQ(NameOf(user, Role::kUser), "");
  EXPECT_EQ(NameOf(admin, Role::kAdmin), "alice");
  EXPECT_FALSE(FileExists(PathOf("user/bob.token")));
  EXPECT_TRUE(absl::IsNotFound(keys.RevokeTokens(Role::kUser, "bob")));
  // `al` is not `alice`.
  EXPECT_TRUE(absl::IsNotFound(keys.RevokeTokens(Role::kAdmin, "al")));
  EXPECT_EQ(NameOf(Add(keys, Role::kUser, "bob"), Role::kUser), "bob");
}

// The tracker accepts lines that an administrator has typed.
TEST_F(KeyFolderTest, RevokesLinesWithOtherBlanks) {
  const KeyFolder keys = Open();
  const std::string first = Add(keys, Role::kUser, "ann");
  const std::string second = Add(keys, Role::kUser, "ann");
  std::string text = ReadFile(PathOf("tokens")).value();
  text.replace(text.find("user ann "), 9, "  user\t ann\t");
  text.pop_back();  // no line break at the end
  ASSERT_TRUE(WriteFileAtomic(PathOf("tokens"), text).ok());
  EXPECT_EQ(NameOf(first, Role::kUser), "ann");
  EXPECT_EQ(NameOf(Add(keys, Role::kUser, "annabel"), Role::kUser), "annabel");
  ASSERT_TRUE(keys.RevokeTokens(Role::kUser, "ann").ok());
  EXPECT_EQ(NameOf(first, Role::kUser), "");
  EXPECT_EQ(NameOf(second, Role::kUser), "");
}

TEST_F(KeyFolderTest, LastTokenCanBeRevoked) {
  const KeyFolder keys = Open();
  const std::string token = Add(keys, Role::kUser, "ann");
  ASSERT_TRUE(keys.RevokeTokens(Role::kUser, "ann").ok());
  EXPECT_EQ(NameOf(token, Role::kUser), "");
}

TEST_F(KeyFolderTest, SimultaneousChangesAreAllKept) {
  const KeyFolder keys = Open();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back(
        [&keys, i] { Add(keys, Role::kUser, "u" + std::to_string(i)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 8; ++i) {
    const std::string name = "u" + std::to_string(i);
    const std::string path = PathOf("user/" + name + ".token");
    EXPECT_EQ(NameOf(ReadPrivateFile(path).value(), Role::kUser), name);
  }
}

TEST_F(KeyFolderTest, RejectsNamesThatAreNone) {
  const KeyFolder keys = Open();
  for (const std::string name : {"", "a b", "../x", "x/y"}) {
    const auto token = keys.AddToken(Role::kDevice, name);
    EXPECT_TRUE(absl::IsInvalidArgument(token.status())) << token.status();
    const auto host = keys.AddHost({name});
    EXPECT_TRUE(absl::IsInvalidArgument(host.status())) << host.status();
  }
  EXPECT_FALSE(FileExists(PathOf("tokens")));
  EXPECT_FALSE(FileExists(PathOf("hosts")));
}

}  // namespace
}  // namespace assay::rpc
