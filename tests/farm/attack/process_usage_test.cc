#include "tests/farm/attack/process_usage.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay {
namespace {

TEST(ProcessUsageTest, CountsFilesAndThreads) {
  const auto before = ReadProcessUsage(getpid());
  ASSERT_TRUE(before.ok()) << before.status();
  EXPECT_GT(before->memory_bytes, 100'000);
  EXPECT_GE(before->peak_bytes, before->memory_bytes / 2);
  EXPECT_EQ(before->children, 0);
  const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  absl::Notification done;
  std::thread thread([&done] { done.WaitForNotification(); });
  const auto after = ReadProcessUsage(getpid());
  done.Notify();
  thread.join();
  close(fd);
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(after->files, before->files + 1);
  EXPECT_EQ(after->threads, before->threads + 1);
}

TEST(ProcessUsageTest, CountsChildren) {
  setenv("ASSAY_TEST_COOKIE", "process-usage-test", 1);
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sleep", "sleep", "31.25", nullptr);
    _exit(1);
  }
  // The environment is that of the new program once it runs.
  while (CountProcessesWith("process-usage-test") == 0) usleep(1000);
  EXPECT_EQ(CountCommandsWith("31.25"), 1);
  EXPECT_EQ(ReadProcessUsage(getpid())->children, 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(CountProcessesWith("process-usage-test"), 0);
  EXPECT_TRUE(absl::IsNotFound(ReadProcessUsage(child).status()));
}

TEST(ProcessUsageTest, CountsFilesOfAFolder) {
  const TempDir dir = TempDir::Create().value();
  EXPECT_EQ(CountFiles(dir.path()), 0);
  EXPECT_EQ(CountFiles(JoinPath(dir.path(), "none")), 0);
  ASSERT_TRUE(WriteFileAtomic(JoinPath(dir.path(), "a.part"), "").ok());
  ASSERT_TRUE(WriteFileAtomic(JoinPath(dir.path(), "b"), "").ok());
  EXPECT_EQ(CountFiles(dir.path()), 2);
  EXPECT_EQ(CountFiles(dir.path(), ".part"), 1);
}

}  // namespace
}  // namespace assay
