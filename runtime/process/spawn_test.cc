#include "runtime/process/spawn.h"

#include <signal.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"

namespace assay::runtime {
namespace {

// Returns true if the process runs: it exists and is not a zombie.
bool IsRunning(pid_t pid) {
  const auto stat = ReadFile(absl::StrCat("/proc/", pid, "/stat"));
  if (!stat.ok()) return false;
  const size_t name_end = stat->rfind(')');
  return name_end != std::string::npos && stat->substr(name_end + 2, 1) != "Z";
}

TEST(SpawnTest, ChildOutlivesTheThreadThatStartedIt) {
  absl::StatusOr<pid_t> pid = absl::UnknownError("not started");
  std::thread([&] { pid = Spawn({"/bin/sleep", "100"}, {}); }).join();
  ASSERT_TRUE(pid.ok()) << pid.status();
  Clock::Monotonic()->SleepNanos(100'000'000);
  EXPECT_TRUE(IsRunning(*pid));
  KillSpawned(*pid);
  EXPECT_FALSE(IsRunning(*pid));
}

TEST(SpawnTest, ChildDiesWithTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string file = JoinPath(testing::TempDir(), "pid_of_child");
  EXPECT_EXIT(
      {
        const auto pid = Spawn({"/bin/sleep", "100"}, {});
        if (!WriteFileAtomic(file, absl::StrCat(pid.value())).ok()) _exit(1);
        raise(SIGKILL);
      },
      testing::KilledBySignal(SIGKILL), "");
  pid_t pid = 0;
  ASSERT_TRUE(absl::SimpleAtoi(ReadFile(file).value(), &pid));
  for (int i = 0; i < 1000 && IsRunning(pid); ++i) {
    Clock::Monotonic()->SleepNanos(10'000'000);
  }
  EXPECT_FALSE(IsRunning(pid));
}

TEST(SpawnTest, ThreadsStartProgramsAtTheSameTime) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([] {
      for (int j = 0; j < 5; ++j) {
        const auto pid = Spawn({"/bin/sleep", "100"}, {});
        ASSERT_TRUE(pid.ok()) << pid.status();
        EXPECT_TRUE(IsRunning(*pid));
        KillSpawned(*pid);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace assay::runtime
