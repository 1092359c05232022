// Runs the program //rpc:tracker.
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/tracker/service/testing/test_callers.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/spawn.h"
#include "runtime/process/subprocess.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1000 * kMillisecond;

class TrackerProgramTest : public ::testing::Test {
 protected:
  TrackerProgramTest() { WriteTokens(Path("tokens")); }
  ~TrackerProgramTest() override { Kill(); }

  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }

  static std::string Program() {
    return *runtime::FindRunfile("", "assay/rpc/tracker/service/tracker");
  }

  // The command line of a tracker on `port_`.
  std::vector<std::string> Command() const {
    return {Program(),
            absl::StrCat("--listen=127.0.0.1:", port_),
            "--plain_text",
            absl::StrCat("--state=", Path("state")),
            absl::StrCat("--tokens=", Path("tokens")),
            absl::StrCat("--port_file=", Path("port"))};
  }

  // Waits until the program serves, and sets `port_`.
  void WaitForPort() {
    const int64_t end = MonotonicNanos() + 20 * kSecond;
    while (!FileExists(Path("port")) && MonotonicNanos() < end) {
      Clock::Monotonic()->SleepNanos(2 * kMillisecond);
    }
    const auto text = ReadFile(Path("port"));
    ASSERT_TRUE(text.ok()) << text.status();
    ASSERT_TRUE(absl::SimpleAtoi(*text, &port_)) << *text;
  }

  void Start() {
    unlink(Path("port").c_str());
    const auto pid = runtime::Spawn(Command(), runtime::Streams());
    ASSERT_TRUE(pid.ok()) << pid.status();
    pid_ = *pid;
    WaitForPort();
  }

  void Kill() {
    if (pid_ > 0) runtime::KillSpawned(pid_);
    pid_ = -1;
  }

  // Runs the program to its end.
  static runtime::ProcessResult Run(const std::vector<std::string>& command) {
    const auto result = runtime::RunProcess(command, {});
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : runtime::ProcessResult();
  }

  const TempDir dir_ = *TempDir::Create();
  int port_ = 0;
  pid_t pid_ = -1;
};

TEST_F(TrackerProgramTest, HelpNamesTheFlags) {
  const runtime::ProcessResult result = Run({Program(), "--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* flag : {"--listen", "--state", "--tokens", "--tls",
                           "--plain_text", "--port_file", "Example"}) {
    EXPECT_THAT(result.out, HasSubstr(flag));
  }
}

TEST_F(TrackerProgramTest, WrongFlagsAreOneSentence) {
  const int usage = static_cast<int>(ExitCode::kUsage);
  runtime::ProcessResult result = Run({Program()});
  EXPECT_EQ(result.exit_code, usage);
  EXPECT_THAT(result.err, HasSubstr("--state"));
  std::vector<std::string> command = Command();
  command[4] = "--tokens=/no/such/file";
  result = Run(command);
  EXPECT_EQ(result.exit_code, usage);
  EXPECT_THAT(result.err, StartsWith("error: "));
  EXPECT_THAT(result.err, HasSubstr("/no/such/file"));
  command = Command();
  command[1] = "--listen=0.0.0.0:0";
  result = Run(command);
  EXPECT_EQ(result.exit_code, usage);
  EXPECT_THAT(result.err, HasSubstr("0.0.0.0"));
  EXPECT_FALSE(FileExists(Path("port")));
}

TEST_F(TrackerProgramTest, LeasesAndPlacesSurviveAKill) {
  Start();
  auto device = std::make_unique<RegisteredDevice>(port_, "a");
  LeaseTerms first;
  ASSERT_TRUE(TestWait(port_, "ann", "t1").WaitForLease(&first));
  auto wait2 = std::make_unique<TestWait>(port_, "ben", "t2");
  ASSERT_TRUE(wait2->WaitForPlace(1));
  auto wait3 = std::make_unique<TestWait>(port_, "ben", "t3");
  ASSERT_TRUE(wait3->WaitForPlace(2));
  const std::string key = device->welcome().lease_key();
  Kill();
  EXPECT_EQ(wait2->Wait().error_code(), grpc::StatusCode::UNAVAILABLE);
  wait2.reset();
  wait3.reset();
  device.reset();

  Start();
  const TestStub stub(port_);
  Lease lease;
  EXPECT_EQ(stub.Renew("ann", first, &lease).error_code(),
            grpc::StatusCode::UNAVAILABLE);
  device = std::make_unique<RegisteredDevice>(port_, "a");
  EXPECT_EQ(device->welcome().lease_key(), key);
  EXPECT_EQ(device->welcome().least_token(), first.token());
  EXPECT_EQ(stub.Listed("a").holder(), "ann");
  ASSERT_TRUE(stub.Renew("ann", first, &lease).ok());
  LeaseTerms renewed;
  ASSERT_TRUE(renewed.ParseFromString(lease.terms()));
  EXPECT_GT(renewed.renewals(), first.renewals());
  // The second one asks first, and has its place nevertheless.
  TestWait again3(port_, "ben", "t3");
  ASSERT_TRUE(again3.WaitForPlace(1));
  TestWait again2(port_, "ben", "t2");
  ASSERT_TRUE(again2.WaitForPlace(1));
  ASSERT_TRUE(again3.WaitForPlace(2));
  ASSERT_TRUE(stub.Release("ann", first).ok());
  LeaseTerms second;
  ASSERT_TRUE(again2.WaitForLease(&second));
  EXPECT_GT(second.token(), first.token());
}

TEST_F(TrackerProgramTest, TokensGrowAcrossManyKills) {
  int64_t last = 0;
  for (int i = 0; i < 4; ++i) {
    Start();
    RegisteredDevice device(port_, "a");
    EXPECT_GT(device.welcome().least_token(), last);
    for (int k = 0; k < 3; ++k) {
      LeaseTerms lease;
      ASSERT_TRUE(TestWait(port_, "ann", absl::StrCat("t", i, "-", k), {})
                      .WaitForLease(&lease));
      EXPECT_GT(lease.token(), last);
      last = lease.token();
      ASSERT_TRUE(TestStub(port_).Release("ann", lease).ok());
    }
    Kill();
  }
}

TEST_F(TrackerProgramTest, StopsWithOpenStreams) {
  Start();
  RegisteredDevice device(port_, "a");
  ASSERT_TRUE(TestStub(port_).Quarantine("a", "repair").ok());
  TestWait wait(port_, "ann", "t1");
  ASSERT_TRUE(wait.WaitForPlace(1));
  const int64_t start = MonotonicNanos();
  kill(pid_, SIGTERM);
  const auto status = runtime::WaitSpawned(pid_, start + 5 * kSecond);
  ASSERT_TRUE(status.ok()) << status.status();
  pid_ = -1;
  EXPECT_EQ(runtime::DescribeExit(*status), "exited with 0");
  EXPECT_LT(MonotonicNanos() - start, 2 * kSecond);
  EXPECT_EQ(wait.Wait().error_code(), grpc::StatusCode::UNAVAILABLE);
}

// The limit of the size of files stands for a full disk.
TEST_F(TrackerProgramTest, StopsIfItCannotStoreItsState) {
  std::vector<std::string> command = {
      "/bin/sh", "-c", "trap '' XFSZ; ulimit -f 256; exec \"$@\"", "sh"};
  for (const std::string& word : Command()) command.push_back(word);
  runtime::ProcessResult result;
  std::thread run([&] { result = Run(command); });
  WaitForPort();
  {
    RegisteredDevice device(port_, "a");
    for (int i = 0; i < 5000; ++i) {
      TestWait wait(port_, "ann", absl::StrCat("t", i));
      LeaseTerms lease;
      if (!wait.WaitForLease(&lease)) break;
      if (!TestStub(port_).Release("ann", lease).ok()) break;
    }
  }
  run.join();
  EXPECT_EQ(result.exit_code, static_cast<int>(ExitCode::kInfrastructure));
  EXPECT_THAT(result.err, HasSubstr("\"event\":\"state_failed\""));
  EXPECT_THAT(result.err,
              HasSubstr("error: the tracker cannot store its state"));
  EXPECT_THAT(result.err, HasSubstr("state.db"));
}

}  // namespace
}  // namespace assay::rpc
