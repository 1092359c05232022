#include "rpc/server/task_thread.h"

#include <memory>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

using ::testing::ElementsAre;

TEST(TaskThreadTest, PerformsTasksInOrder) {
  std::vector<int> done;
  {
    TaskThread thread(10);
    absl::Notification go;
    thread.Post([&] { go.WaitForNotification(); });
    for (int i = 0; i < 3; ++i) thread.Post([&done, i] { done.push_back(i); });
    thread.PostFirst([&done] { done.push_back(7); });
    EXPECT_FALSE(thread.TryHold());
    go.Notify();
  }
  EXPECT_THAT(done, ElementsAre(7, 0, 1, 2));
}

TEST(TaskThreadTest, LimitsTheTasksThatWait) {
  int done = 0;
  {
    TaskThread thread(2);
    absl::Notification running, go;
    thread.Post([&] {
      running.Notify();
      go.WaitForNotification();
    });
    running.WaitForNotification();
    EXPECT_TRUE(thread.Post([&done] { ++done; }));
    EXPECT_TRUE(thread.Post([&done] { ++done; }));
    EXPECT_FALSE(thread.Post([&done] { done += 100; }));
    thread.PostFirst([&done] { ++done; });
    go.Notify();
  }
  EXPECT_EQ(done, 3);
}

TEST(TaskThreadTest, CanBeHeld) {
  TaskThread thread(2);
  absl::Notification first, second;
  thread.Post([&first] { first.Notify(); });
  first.WaitForNotification();
  while (!thread.TryHold()) {
  }
  EXPECT_FALSE(thread.TryHold());
  thread.Post([&second] { second.Notify(); });
  EXPECT_FALSE(second.WaitForNotificationWithTimeout(absl::Milliseconds(20)));
  thread.Release();
  second.WaitForNotification();
}

}  // namespace
}  // namespace assay::rpc
