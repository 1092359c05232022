#include "rpc/security/token_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kSecond = 1000000000;
constexpr char kAlice[] = "alice-token-0123456789abcdef0123";
constexpr char kBob[] = "bob-token-0123456789abcdef012345";
constexpr char kBoard[] = "board-token-0123456789abcdef0123";

std::string Line(Role role, absl::string_view name, absl::string_view token) {
  const auto line = TokenLine(role, name, token);
  EXPECT_TRUE(line.ok()) << line.status();
  return line.value_or("");
}

class TokenFileTest : public ::testing::Test {
 protected:
  TokenFileTest()
      : dir_(*TempDir::Create("token_file_test")),
        path_(JoinPath(dir_.path(), "tokens")) {}

  void Write(absl::string_view contents) {
    ASSERT_TRUE(WriteFileAtomic(path_, contents).ok());
  }
  void Open(absl::string_view contents) {
    Write(contents);
    auto file = TokenFile::Open(path_, &clock_);
    ASSERT_TRUE(file.ok()) << file.status();
    file_ = *std::move(file);
  }
  // Returns `ROLE NAME`, or the empty string if the token is not known.
  std::string WhoHas(absl::string_view token) {
    const auto identity = file_->Identify(token);
    if (!identity.ok()) {
      EXPECT_TRUE(absl::IsUnauthenticated(identity.status()))
          << identity.status();
      EXPECT_THAT(std::string(identity.status().message()),
                  Not(HasSubstr("token-0")));
      return "";
    }
    return absl::StrCat(RoleName(identity->role), " ", identity->name);
  }

  TempDir dir_;
  const std::string path_;
  FakeClock clock_;
  std::unique_ptr<TokenFile> file_;
};

TEST(NewTokenTest, TokensAreRandomAndLongEnough) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) {
    const auto token = NewToken();
    ASSERT_TRUE(token.ok()) << token.status();
    EXPECT_TRUE(IsSha256Hex(*token)) << *token;  // 64 hexadecimal digits
    EXPECT_TRUE(TokenLine(Role::kUser, "a", *token).ok());
    tokens.insert(*token);
  }
  EXPECT_EQ(tokens.size(), 100u);
}

TEST(TokenLineTest, ContainsTheDigestOnly) {
  EXPECT_EQ(Line(Role::kDevice, "rpi3b-1", kBoard),
            absl::StrCat("device rpi3b-1 ", Sha256Hex(kBoard), "\n"));
}

TEST(TokenLineTest, RejectsBadTokensAndNames) {
  const std::string good(32, 'x');
  EXPECT_TRUE(TokenLine(Role::kUser, "a.B_9-", good).ok());
  EXPECT_TRUE(TokenLine(Role::kUser, std::string(64, 'a'), good).ok());
  EXPECT_TRUE(TokenLine(Role::kUser, "a", std::string(256, 'x')).ok());
  for (const std::string& name :
       {std::string(), std::string("a b"), std::string("a\nadmin"),
        std::string("#a"), std::string("\xc3\xa4"), std::string(65, 'a')}) {
    EXPECT_TRUE(
        absl::IsInvalidArgument(TokenLine(Role::kUser, name, good).status()))
        << name;
  }
  for (const std::string& token :
       {std::string(), good.substr(1), std::string(257, 'x'), good + " ",
        good + "\n", good + "\x7f", good + "\xff"}) {
    const absl::Status status = TokenLine(Role::kUser, "a", token).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("xxx")));
  }
}

TEST_F(TokenFileTest, IdentifiesCallers) {
  Open(absl::StrCat("# ROLE NAME SHA256_OF_TOKEN\n\n",
                    Line(Role::kAdmin, "alice", kAlice), "  user \t bob   ",
                    Sha256Hex(kBob), " \r\n",
                    Line(Role::kDevice, "rpi3b-1", kBoard)));
  EXPECT_EQ(WhoHas(kAlice), "admin alice");
  EXPECT_EQ(WhoHas(kBob), "user bob");
  EXPECT_EQ(WhoHas(kBoard), "device rpi3b-1");
  EXPECT_TRUE(file_->Check().error.ok());
}

TEST_F(TokenFileTest, RejectsUnknownTokens) {
  Open(Line(Role::kAdmin, "alice", kAlice));
  const std::string token = kAlice;
  for (const std::string& wrong :
       {std::string(), token.substr(1), token + "0", token + '\0', "A" + token,
        absl::AsciiStrToUpper(token), Sha256Hex(token), std::string(kBob),
        std::string(1 << 20, 'a')}) {
    EXPECT_EQ(WhoHas(wrong), "");
  }
}

TEST_F(TokenFileTest, ShortTokensAreNotAccepted) {
  Open(absl::StrCat("user bob ", Sha256Hex("short"), "\n"));
  EXPECT_EQ(WhoHas("short"), "");
}

TEST_F(TokenFileTest, NameCanHaveSeveralTokensAndRoles) {
  Open(absl::StrCat(Line(Role::kUser, "alice", kAlice),
                    Line(Role::kUser, "alice", kBob),
                    Line(Role::kAdmin, "alice", kBoard)));
  EXPECT_EQ(WhoHas(kAlice), "user alice");
  EXPECT_EQ(WhoHas(kBob), "user alice");
  EXPECT_EQ(WhoHas(kBoard), "admin alice");
}

TEST_F(TokenFileTest, RejectsBadFiles) {
  const std::string good = Line(Role::kUser, "bob", kBob);
  const std::string digest = Sha256Hex(kAlice);
  struct Case {
    std::string text;
    std::string reason;
  };
  const Case cases[] = {
      {good + "root alice " + digest, "line 2 of "},
      {"root alice " + digest, "the role `root` is none of"},
      {"Admin alice " + digest, "the role `Admin`"},
      {"admin alice", "2 fields"},
      {"device .. " + digest, "the device `..` is not a name"},
      {"admin alice " + digest + " # comment", "5 fields"},
      {"admin al/ice " + digest, "the admin `al/ice` is not a name"},
      {"admin alice " + digest.substr(1), "third field of `alice`"},
      {"admin alice " + absl::AsciiStrToUpper(digest), "third field"},
      {std::string("admin alice ") + kAlice, "third field"},
      {good + Line(Role::kAdmin, "bob", kBob), "has the same token"},
  };
  for (const Case& bad : cases) {
    Write(bad.text);
    const absl::Status status = TokenFile::Open(path_, &clock_).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    const std::string message(status.message());
    EXPECT_THAT(message, HasSubstr(bad.reason));
    EXPECT_THAT(message, HasSubstr(path_));
    EXPECT_THAT(message, Not(HasSubstr(kAlice)));
  }
  const std::string missing = JoinPath(dir_.path(), "missing");
  const absl::Status status = TokenFile::Open(missing, &clock_).status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(missing));
}

TEST_F(TokenFileTest, LimitsTheNumberOfEntries) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    absl::StrAppend(&text, "user u", i, " ", Sha256Hex(absl::StrCat(i)), "\n");
  }
  Open(text);
  Write(text + Line(Role::kUser, "bob", kBob));
  EXPECT_TRUE(
      absl::IsResourceExhausted(TokenFile::Open(path_, &clock_).status()));
  Write(std::string((32 << 20) + 1, '\n'));
  EXPECT_TRUE(
      absl::IsResourceExhausted(TokenFile::Open(path_, &clock_).status()));
}

TEST_F(TokenFileTest, ReadsChangedFilesOncePerSecond) {
  Open(Line(Role::kUser, "alice", kAlice));
  Write(Line(Role::kUser, "bobby", kBob));
  clock_.Advance(kSecond - 1);
  EXPECT_EQ(WhoHas(kAlice), "user alice");
  EXPECT_EQ(WhoHas(kBob), "");
  clock_.Advance(1);
  EXPECT_EQ(WhoHas(kAlice), "");
  EXPECT_EQ(WhoHas(kBob), "user bobby");
  // The next check is a second later.
  Write(Line(Role::kUser, "alice", kAlice));
  clock_.Advance(kSecond - 1);
  EXPECT_EQ(WhoHas(kAlice), "");
  clock_.Advance(1);
  EXPECT_EQ(WhoHas(kAlice), "user alice");
}

TEST_F(TokenFileTest, SeesChangesOfSizeAlone) {
  const std::string alice = Line(Role::kUser, "alice", kAlice);
  Open(alice);
  // The inode and the modification time remain the same.
  struct stat before;
  ASSERT_EQ(stat(path_.c_str(), &before), 0);
  ASSERT_EQ(truncate(path_.c_str(), 5), 0);
  const timespec times[2] = {before.st_mtim, before.st_mtim};
  ASSERT_EQ(utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
  clock_.Advance(kSecond);
  EXPECT_EQ(WhoHas(kAlice), "user alice");
  EXPECT_TRUE(absl::IsInvalidArgument(file_->Check().error));
}

TEST_F(TokenFileTest, KeepsTheLastGoodVersion) {
  Open(Line(Role::kUser, "alice", kAlice));
  Write("nonsense\n");
  clock_.Advance(kSecond);
  EXPECT_EQ(WhoHas(kAlice), "user alice");
  const absl::Status broken = file_->Check().error;
  EXPECT_TRUE(absl::IsInvalidArgument(broken)) << broken;
  EXPECT_THAT(std::string(broken.message()), HasSubstr("line 1 of "));
  // The error remains while the file does.
  clock_.Advance(kSecond);
  EXPECT_EQ(WhoHas(kAlice), "user alice");
  EXPECT_EQ(file_->Check().error, broken);

  ASSERT_EQ(unlink(path_.c_str()), 0);
  clock_.Advance(kSecond);
  EXPECT_EQ(WhoHas(kAlice), "user alice");
  EXPECT_TRUE(absl::IsNotFound(file_->Check().error)) << file_->Check().error;

  Write(Line(Role::kUser, "bob", kBob));
  clock_.Advance(kSecond);
  EXPECT_EQ(WhoHas(kAlice), "");
  EXPECT_EQ(WhoHas(kBob), "user bob");
  EXPECT_TRUE(file_->Check().error.ok()) << file_->Check().error;
}

// Whoever was revoked in a file that was not valid, or after the last token of
// all, would stay valid for ever.
TEST_F(TokenFileTest, FileThatStaysBrokenMeansNobody) {
  for (const bool missing : {false, true}) {
    Open(Line(Role::kUser, "alice", kAlice));
    if (missing) {
      ASSERT_EQ(unlink(path_.c_str()), 0);
    } else {
      Write("nonsense\n");
    }
    clock_.Advance(59 * kSecond);
    EXPECT_EQ(WhoHas(kAlice), "user alice");
    EXPECT_TRUE(file_->Check().usable);
    clock_.Advance(kSecond);
    EXPECT_EQ(WhoHas(kAlice), "");
    EXPECT_FALSE(file_->Check().usable);
    Write(Line(Role::kUser, "alice", kAlice));
    clock_.Advance(kSecond);
    EXPECT_EQ(WhoHas(kAlice), "user alice");
    EXPECT_TRUE(file_->Check().usable);
  }
}

TEST_F(TokenFileTest, FileWithoutEntriesMeansNobody) {
  Open(Line(Role::kUser, "alice", kAlice));
  Write("# revoked: alice\n");
  clock_.Advance(kSecond);
  EXPECT_EQ(WhoHas(kAlice), "");
  EXPECT_TRUE(file_->Check().error.ok()) << file_->Check().error;
  Open("");
  EXPECT_EQ(WhoHas(kAlice), "");
}

TEST_F(TokenFileTest, FileThatReturnsIsReadAgain) {
  Open(Line(Role::kUser, "alice", kAlice));
  const std::string aside = path_ + ".aside";
  ASSERT_EQ(rename(path_.c_str(), aside.c_str()), 0);
  clock_.Advance(kSecond);
  EXPECT_EQ(WhoHas(kAlice), "user alice");
  EXPECT_FALSE(file_->Check().error.ok());
  ASSERT_EQ(rename(aside.c_str(), path_.c_str()), 0);
  clock_.Advance(kSecond);
  EXPECT_EQ(WhoHas(kAlice), "user alice");
  EXPECT_TRUE(file_->Check().error.ok());
}

TEST_F(TokenFileTest, ThreadsIdentifyWhileTheFileChanges) {
  Write(Line(Role::kUser, "alice", kAlice));
  // A clock that makes every call check the file.
  class FastClock : public Clock {
   public:
    int64_t NowNanos() override { return now_ += kSecond; }
    void SleepNanos(int64_t) override {}

   private:
    std::atomic<int64_t> now_{0};
  };
  FastClock fast;
  auto opened = TokenFile::Open(path_, &fast);
  ASSERT_TRUE(opened.ok()) << opened.status();
  file_ = *std::move(opened);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 200; ++k) {
        EXPECT_EQ(WhoHas(kAlice), "user alice");
      }
    });
  }
  for (int k = 0; k < 20; ++k) {
    Write(Line(Role::kUser, "alice", kAlice) +
          Line(Role::kUser, absl::StrCat("bob", k), kBob));
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(file_->Check().error.ok());
  file_.reset();  // before its clock
}

}  // namespace
}  // namespace assay::rpc
