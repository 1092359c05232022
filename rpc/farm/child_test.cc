#include "rpc/farm/child.h"

#include <signal.h>

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;

class ChildTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<Child>> Shell(const std::string& script) {
    return Child::Start("program", {"/bin/sh", "-c", script}, log_);
  }

  absl::Status WriteLog(const std::string& line) {
    return WriteFileAtomic(log_, absl::StrCat(line, "\n"));
  }

  const TempDir dir_ = *TempDir::Create();
  const std::string log_ = JoinPath(dir_.path(), "log");
  const std::string port_file_ = JoinPath(dir_.path(), "port");
};

TEST_F(ChildTest, WaitsForThePort) {
  auto child =
      Shell(absl::StrCat("sleep 0.05; echo 4711 >", port_file_, "; sleep 100"));
  ASSERT_TRUE(child.ok()) << child.status();
  const auto port = (*child)->WaitForPort(port_file_, 10 * kSecondNanos);
  ASSERT_TRUE(port.ok()) << port.status();
  EXPECT_EQ(*port, 4711);
  EXPECT_TRUE((*child)->Check().ok());
}

TEST_F(ChildTest, AProgramThatEndsIsAnErrorWithItsMessage) {
  ASSERT_TRUE(WriteLog("error: of an earlier run").ok());
  auto child =
      Shell("echo starting; echo error: no such key; echo bye; exit 2");
  ASSERT_TRUE(child.ok()) << child.status();
  const absl::Status status =
      (*child)->WaitForPort(port_file_, 10 * kSecondNanos).status();
  EXPECT_EQ(status, absl::UnavailableError(absl::StrCat(
                        "the program exited with 2: no such key (the log is `",
                        log_, "`)")));
  EXPECT_EQ((*child)->Check(), status);
  EXPECT_TRUE((*child)->Stop(0));
}

TEST_F(ChildTest, WithoutAMessageTheErrorHasTheEndOfTheLog) {
  ASSERT_TRUE(WriteLog("error: of an earlier run").ok());
  auto child = Shell("echo first; echo last; exit 1");
  ASSERT_TRUE(child.ok()) << child.status();
  const absl::Status status =
      (*child)->WaitForPort(port_file_, 10 * kSecondNanos).status();
  EXPECT_TRUE(absl::StrContains(status.message(), "last")) << status;
  EXPECT_FALSE(absl::StrContains(status.message(), "earlier")) << status;
}

TEST_F(ChildTest, AProgramThatDoesNotListenIsAnError) {
  auto child = Shell("sleep 100");
  ASSERT_TRUE(child.ok()) << child.status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(
      (*child)->WaitForPort(port_file_, 50'000'000).status()));
}

TEST_F(ChildTest, StopsPolitelyIfPossible) {
  auto polite = Shell(absl::StrCat("trap 'exit 0' TERM; echo 1 >", port_file_,
                                   "; while :; do sleep 0.01; done"));
  ASSERT_TRUE(polite.ok()) << polite.status();
  ASSERT_TRUE((*polite)->WaitForPort(port_file_, 10 * kSecondNanos).ok());
  EXPECT_TRUE((*polite)->Stop(10 * kSecondNanos));
}

TEST_F(ChildTest, KillsAProgramThatDoesNotStop) {
  auto deaf = Shell(absl::StrCat("trap '' TERM; echo 1 >", port_file_,
                                 "; while :; do sleep 0.01; done"));
  ASSERT_TRUE(deaf.ok()) << deaf.status();
  ASSERT_TRUE((*deaf)->WaitForPort(port_file_, 10 * kSecondNanos).ok());
  const pid_t pid = (*deaf)->pid();
  EXPECT_FALSE((*deaf)->Stop(50'000'000));
  EXPECT_NE(kill(pid, 0), 0);
}

}  // namespace
}  // namespace assay::rpc
