#include "rpc/transport/monotonic_waits.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstdint>

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

constexpr long kWaitUntil =
    FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME;

TEST(MonotonicWaitsTest, KnowsWaitsUntilATimeOfDay) {
  EXPECT_TRUE(WaitsForTimeOfDay(kWaitUntil));
  EXPECT_FALSE(WaitsForTimeOfDay(FUTEX_WAIT_BITSET));
  EXPECT_FALSE(WaitsForTimeOfDay(FUTEX_WAKE | FUTEX_PRIVATE_FLAG));
  EXPECT_FALSE(WaitsForTimeOfDay(FUTEX_LOCK_PI2 | FUTEX_CLOCK_REALTIME));
}

TEST(MonotonicWaitsTest, KeepsTheTimeThatIsLeft) {
  const timespec later =
      ToMonotonic({1'000'010, 5}, {1'000'000, 10}, {20, 999'999'999});
  EXPECT_EQ(later.tv_sec, 30);
  EXPECT_EQ(later.tv_nsec, 999'999'994);
  const timespec past = ToMonotonic({1'000, 0}, {2'000, 0}, {20, 0});
  EXPECT_EQ(past.tv_sec, 0);
  EXPECT_EQ(past.tv_nsec, 0);
  const timespec never = ToMonotonic({LONG_MAX, 0}, {2'000, 0}, {20, 0});
  EXPECT_GT(never.tv_sec, 1'000'000'000);
}

TEST(MonotonicWaitsTest, WaitsAsLongAsWasMeant) {
  int32_t word = 0;
  timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += 50'000'000;
  if (deadline.tv_nsec >= 1'000'000'000) {
    deadline.tv_nsec -= 1'000'000'000;
    ++deadline.tv_sec;
  }
  const int64_t start = MonotonicNanos();
  EXPECT_EQ(syscall(SYS_futex, &word, kWaitUntil, 0, &deadline, nullptr,
                    FUTEX_BITSET_MATCH_ANY),
            -1);
  EXPECT_EQ(errno, ETIMEDOUT);
  EXPECT_GE(MonotonicNanos() - start, 49'000'000);
  EXPECT_LT(MonotonicNanos() - start, 5'000'000'000);
}

TEST(MonotonicWaitsTest, OtherCallsAreUnchanged) {
  EXPECT_EQ(syscall(SYS_getpid), getpid());
  int32_t word = 1;
  EXPECT_EQ(syscall(SYS_futex, &word, kWaitUntil, 0, nullptr, nullptr,
                    FUTEX_BITSET_MATCH_ANY),
            -1);
  EXPECT_EQ(errno, EAGAIN);
}

TEST(MonotonicWaitsTest, AbseilWaits) {
  absl::Mutex mutex;
  const absl::MutexLock lock(&mutex);
  const bool never = false;
  const int64_t start = MonotonicNanos();
  EXPECT_FALSE(
      mutex.AwaitWithTimeout(absl::Condition(&never), absl::Milliseconds(50)));
  EXPECT_GE(MonotonicNanos() - start, 49'000'000);
}

}  // namespace
}  // namespace assay::rpc
