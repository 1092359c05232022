#include "rpc/tracker/service/tracker_loop.h"

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/tracker/lease_options.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1000 * kMillisecond;

class TrackerLoopTest : public ::testing::Test {
 protected:
  ~TrackerLoopTest() override { loop_.reset(); }

  void Start(tracker::LeaseOptions lease = {}, int64_t max_commands = 100) {
    TrackerLoop::Options options;
    options.max_commands = max_commands;
    options.store = [this](const TrackerLoop::Events& events) {
      if (!events.empty()) Write("store");
      ++rounds_;
      const std::lock_guard<std::mutex> lock(mutex_);
      return store_status_;
    };
    options.handle = [this](const TrackerLoop::Events& events,
                            tracker::LeaseBook& book, int64_t now) {
      for (const tracker::Event& event : events) {
        if (const auto* lease = std::get_if<tracker::LeaseGranted>(&event)) {
          Write("granted");
          if (!release_) continue;
          EXPECT_TRUE(book.Release("ann", lease->lease.token, now).ok());
          return true;
        }
        if (std::holds_alternative<tracker::LeaseEnded>(event)) {
          Write("ended");
          ended_.set_value(now);
        }
      }
      return false;
    };
    options.retry_nanos = kMillisecond;
    options.disk_full = [this](const absl::Status& status) {
      Write(status.ok() ? "space" : "full");
    };
    options.fail = [this](const absl::Status& status) {
      failure_.set_value(status);
    };
    loop_ = std::make_unique<TrackerLoop>(tracker::LeaseBook(lease),
                                          std::move(options));
  }

  void Write(const std::string& line) {
    const std::lock_guard<std::mutex> lock(mutex_);
    lines_.push_back(line);
  }
  std::vector<std::string> Lines() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lines_;
  }

  void SetStoreStatus(const absl::Status& status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    store_status_ = status;
  }
  // Posts a command that changes the book.
  absl::Status PostChange(std::function<void()> answer) {
    return loop_->Post([answer](tracker::LeaseBook& book, int64_t now) {
      book.AddDevice("a", "rpi3b", now).IgnoreError();
      return answer;
    });
  }

  // Calls a command and waits for its answer.
  void Call(const TrackerLoop::Command& command) {
    std::promise<void> answered;
    const absl::Status posted =
        loop_->Post([&](tracker::LeaseBook& book, int64_t now) {
          command(book, now);
          return [&] { answered.set_value(); };
        });
    ASSERT_TRUE(posted.ok()) << posted;
    answered.get_future().wait();
  }

  // Lends a device to ann.
  void Lend() {
    Call([](tracker::LeaseBook& book, int64_t now) -> TrackerLoop::Answer {
      EXPECT_TRUE(book.AddDevice("a", "rpi3b", now).ok());
      EXPECT_TRUE(book.Enqueue({"t", "ann", "rpi3b"}, now + kSecond, now).ok());
      return nullptr;
    });
  }

  std::mutex mutex_;
  std::vector<std::string> lines_;
  absl::Status store_status_;
  bool release_ = false;
  int64_t rounds_ = 0;
  std::promise<int64_t> ended_;
  std::promise<absl::Status> failure_;
  std::unique_ptr<TrackerLoop> loop_;
};

TEST_F(TrackerLoopTest, StoresBeforeItAnswers) {
  Start();
  Call([](auto&, int64_t) { return nullptr; });  // reserves tokens
  Call([this](tracker::LeaseBook& book, int64_t now) -> TrackerLoop::Answer {
    Write("command");
    EXPECT_TRUE(book.AddDevice("a", "rpi3b", now).ok());
    return nullptr;
  });
  Write("answer");
  loop_->Stop();
  EXPECT_THAT(Lines(), ElementsAre("store", "command", "store", "answer"));
}

TEST_F(TrackerLoopTest, CommandsThatWaitAreOneRound) {
  Start();
  std::promise<void> entered, open;
  ASSERT_TRUE(loop_
                  ->Post([&](auto&, int64_t) -> TrackerLoop::Answer {
                    entered.set_value();
                    open.get_future().wait();
                    return nullptr;
                  })
                  .ok());
  entered.get_future().wait();
  int64_t before = 0, first = 0, last = 0;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(loop_
                    ->Post([&, i](auto&, int64_t now) -> TrackerLoop::Answer {
                      if (i == 0) first = now;
                      if (i == 0) before = rounds_;
                      last = now;
                      return nullptr;
                    })
                    .ok());
  }
  open.set_value();
  loop_->Stop();
  EXPECT_EQ(first, last);
  EXPECT_EQ(rounds_, before + 1);
}

TEST_F(TrackerLoopTest, TooManyCommandsAreRefused) {
  Start({}, /*max_commands=*/2);
  std::promise<void> entered, open;
  int called = 0;
  ASSERT_TRUE(loop_
                  ->Post([&](auto&, int64_t) -> TrackerLoop::Answer {
                    entered.set_value();
                    open.get_future().wait();
                    return nullptr;
                  })
                  .ok());
  entered.get_future().wait();
  const TrackerLoop::Command count = [&](auto&, int64_t) {
    ++called;
    return nullptr;
  };
  EXPECT_TRUE(loop_->Post(count).ok());
  EXPECT_TRUE(loop_->Post(count).ok());
  EXPECT_EQ(loop_->Post(count),
            absl::ResourceExhaustedError("the tracker is busy: 2 calls wait"));
  EXPECT_TRUE(loop_->PostAlways(count).ok());
  open.set_value();
  loop_->Stop();
  EXPECT_EQ(called, 3);
  EXPECT_TRUE(absl::IsUnavailable(loop_->Post(count)));
  EXPECT_TRUE(absl::IsUnavailable(loop_->PostAlways(count)));
  EXPECT_EQ(called, 3);
}

TEST_F(TrackerLoopTest, WakesWhenALeaseExpires) {
  tracker::LeaseOptions lease;
  lease.lease_nanos = 30 * kMillisecond;
  lease.margin_nanos = 10 * kMillisecond;
  Start(lease);
  const int64_t start = MonotonicNanos();
  Lend();
  const int64_t ended = ended_.get_future().get();
  EXPECT_GE(ended, start + 40 * kMillisecond);
  EXPECT_THAT(Lines(), Contains("granted"));
}

TEST_F(TrackerLoopTest, ChangesOfTheHandlerAreStoredAtOnce) {
  release_ = true;
  Start();
  const int64_t start = MonotonicNanos();
  Lend();
  EXPECT_LT(ended_.get_future().get() - start, 3 * kSecond);
}

TEST_F(TrackerLoopTest, AFailedStoreIsNotAnswered) {
  Start();
  Call([](auto&, int64_t) { return nullptr; });
  SetStoreStatus(absl::InternalError("the disk failed"));
  bool answered = false;
  ASSERT_TRUE(PostChange([&] { answered = true; }).ok());
  EXPECT_EQ(failure_.get_future().get(),
            absl::InternalError("the disk failed"));
  EXPECT_TRUE(
      absl::IsUnavailable(loop_->Post([](auto&, int64_t) { return nullptr; })));
  loop_->Stop();
  EXPECT_FALSE(answered);
}

TEST_F(TrackerLoopTest, WaitsWhileTheDiskIsFull) {
  Start({}, /*max_commands=*/10'000);
  Call([](auto&, int64_t) { return nullptr; });
  SetStoreStatus(absl::ResourceExhaustedError("no space"));
  std::promise<void> answered;
  ASSERT_TRUE(PostChange([&] { answered.set_value(); }).ok());
  const auto refused =
      absl::UnavailableError("the tracker cannot store its state: no space");
  const int64_t end = MonotonicNanos() + 5 * kSecond;
  absl::Status status;
  while (status.ok() && MonotonicNanos() < end) {
    Clock::Monotonic()->SleepNanos(kMillisecond);
    status = loop_->Post([](auto&, int64_t) { return nullptr; });
  }
  EXPECT_EQ(status, refused);
  EXPECT_TRUE(loop_->PostAlways([](auto&, int64_t) { return nullptr; }).ok());
  auto answer = answered.get_future();
  EXPECT_EQ(answer.wait_for(std::chrono::milliseconds(20)),
            std::future_status::timeout);
  SetStoreStatus(absl::OkStatus());
  ASSERT_EQ(answer.wait_for(std::chrono::seconds(5)),
            std::future_status::ready);
  Call([](auto&, int64_t) { return nullptr; });
  EXPECT_THAT(Lines(), Contains("full"));
  EXPECT_THAT(Lines(), Contains("space"));
}

TEST_F(TrackerLoopTest, StopsWhileTheDiskIsFull) {
  Start();
  SetStoreStatus(absl::ResourceExhaustedError("no space"));
  bool answered = false;
  ASSERT_TRUE(PostChange([&] { answered = true; }).ok());
  loop_->Stop();
  EXPECT_FALSE(answered);
}

}  // namespace
}  // namespace assay::rpc
