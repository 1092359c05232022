#include "suites/serve/thread_servers.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/clock.h"

namespace assay::suites {
namespace {

constexpr int64_t kMilli = 1'000'000;

// Sleeps, as a device that works for so long.
ThreadServers::Run Busy(int64_t millis) {
  return [millis](int, int64_t, int64_t* end_nanos) {
    Clock::Monotonic()->SleepNanos(millis * kMilli);
    *end_nanos = MonotonicNanos();
    return absl::OkStatus();
  };
}

TEST(ThreadServersTest, ServesInOrderNotBeforeTheArrival) {
  for (const int instances : {1, 2}) {
    ThreadServers servers(instances, 1, Busy(2));
    const std::vector<int64_t> arrivals = {0, 1 * kMilli, 30 * kMilli,
                                           30 * kMilli, 31 * kMilli};
    const auto served = servers.Serve(arrivals, LateLimit());
    ASSERT_TRUE(served.ok()) << served.status();
    for (size_t i = 0; i < arrivals.size(); ++i) {
      EXPECT_GE((*served)[i].begin, arrivals[i]);
      EXPECT_GE((*served)[i].end, (*served)[i].begin + 2 * kMilli);
      // Not more samples are served at a time than there are instances. On a
      // busy machine, an instance may take much longer than another one.
      EXPECT_LE(std::count_if(served->begin(), served->end(),
                              [&](const Service& other) {
                                return other.begin <= (*served)[i].begin &&
                                       (*served)[i].begin < other.end;
                              }),
                instances);
    }
  }
}

TEST(ThreadServersTest, EachSampleIsServedOnceOverManyCalls) {
  std::mutex mutex;
  std::multiset<int64_t> samples;
  std::set<int> instances;
  ThreadServers servers(3, 1, [&](int instance, int64_t sample, int64_t* end) {
    const std::lock_guard<std::mutex> lock(mutex);
    samples.insert(sample);
    instances.insert(instance);
    *end = MonotonicNanos();
    return absl::OkStatus();
  });
  for (int call = 0; call < 50; ++call) {
    const std::vector<int64_t> arrivals(8, 0);
    ASSERT_TRUE(servers.Serve(arrivals, LateLimit()).ok());
  }
  EXPECT_EQ(samples.size(), 400u);
  EXPECT_EQ(std::set<int64_t>(samples.begin(), samples.end()).size(), 400u);
  EXPECT_LE(instances.size(), 3u);
}

TEST(ThreadServersTest, SamplesThatWaitAreServedAsABatch) {
  std::atomic<int> runs = 0;
  ThreadServers servers(1, 4, [&](int, int64_t, int64_t* end) {
    ++runs;
    *end = MonotonicNanos();
    return absl::OkStatus();
  });
  ASSERT_TRUE(servers.Serve(std::vector<int64_t>(10, 0), LateLimit()).ok());
  EXPECT_EQ(runs, 3);
  // Nobody waits for a full batch.
  ASSERT_TRUE(servers.Serve({0, 20 * kMilli}, LateLimit()).ok());
  EXPECT_EQ(runs, 5);
}

TEST(ThreadServersTest, OverloadIsAbandoned) {
  for (const int instances : {1, 2}) {
    ThreadServers servers(instances, 1, Busy(1));
    LateLimit limit;
    limit.latency_nanos = 5 * kMilli;
    limit.max_late = 10;
    const auto served = servers.Serve(std::vector<int64_t>(2000, 0), limit);
    ASSERT_TRUE(served.ok()) << served.status();
    int64_t late = 0, never = 0;
    for (const Service& sample : *served) {
      if (sample.end == Service::kNever) {
        ++never;
      } else if (sample.end > 5 * kMilli) {
        ++late;
      }
    }
    EXPECT_GT(late, 10);
    EXPECT_LE(late, 10 + instances);
    EXPECT_GT(never, 1900);
    // The next call is not affected.
    EXPECT_TRUE(servers.Serve({0}, LateLimit()).ok());
  }
}

TEST(ThreadServersTest, ErrorsEndTheCall) {
  for (const int instances : {1, 3}) {
    std::atomic<int> runs = 0;
    ThreadServers servers(instances, 1, [&](int, int64_t, int64_t* end) {
      *end = MonotonicNanos();
      return ++runs == 5 ? absl::DataLossError("wrong") : absl::OkStatus();
    });
    const auto served =
        servers.Serve(std::vector<int64_t>(1000, 0), LateLimit());
    EXPECT_EQ(served.status(), absl::DataLossError("wrong"));
    EXPECT_LE(runs, 5 + instances);
  }
}

}  // namespace
}  // namespace assay::suites
