#include "rpc/client/lease_keeper.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "rpc/client/testing/fake_tracker.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

using Script = FakeTracker::Script;

constexpr int64_t kSecond = 1'000'000'000;

class LeaseKeeperTest : public testing::Test {
 protected:
  LeaseKeeperTest() : client_(*TrackerClient::Open(tracker_.Options())) {
    events_.place = [this](int place, double wait) {
      places_.emplace_back(place, wait);
    };
    events_.notify = [this](const std::string& notice) {
      const absl::MutexLock lock(&mutex_);
      notices_.push_back(notice);
    };
  }

  absl::StatusOr<std::unique_ptr<LeaseKeeper>> Acquire(
      const std::string& key = "rpi3b", double wait_seconds = 20) {
    return LeaseKeeper::Acquire(client_.get(),
                                {key, /*priority=*/3, wait_seconds}, events_,
                                &cancellation_);
  }

  // Waits until the lease is lost, and returns the reason.
  static absl::Status WaitForLoss(const LeaseKeeper& keeper) {
    const int64_t end = MonotonicNanos() + 10 * kSecond;
    while (keeper.status().ok() && MonotonicNanos() < end) {
      Clock::Monotonic()->SleepNanos(1'000'000);
    }
    return keeper.status();
  }

  std::string Notices() {
    const absl::MutexLock lock(&mutex_);
    std::string all;
    for (const std::string& notice : notices_) all += notice + "\n";
    return all;
  }

  FakeTracker tracker_;
  const std::unique_ptr<TrackerClient> client_;
  Cancellation cancellation_;
  LeaseEvents events_;
  std::vector<std::pair<int, double>> places_;
  absl::Mutex mutex_;
  std::vector<std::string> notices_;
};

TEST_F(LeaseKeeperTest, AcquiresHoldsAndReleases) {
  {
    const auto keeper = Acquire();
    ASSERT_TRUE(keeper.ok()) << keeper.status();
    const GrantedLease lease = (*keeper)->lease();
    EXPECT_EQ(lease.name.device(), "rack1-03");
    EXPECT_EQ(lease.name.token(), 1);
    EXPECT_EQ(lease.facts.fingerprint, "aarch64-fake-4c-00000000");
    EXPECT_TRUE((*keeper)->status().ok());
    EXPECT_TRUE(tracker_.Read(&Script::released).empty());
  }
  EXPECT_EQ(tracker_.Read(&Script::released), std::set<int64_t>{1});
  EXPECT_EQ(tracker_.Read(&Script::authorization),
            "Bearer " + std::string(64, 'u'));
}

TEST_F(LeaseKeeperTest, TellsThePlaceInTheQueue) {
  Place first, second;
  first.set_place(2);
  first.set_wait_seconds(40);
  second.set_place(1);
  second.set_wait_seconds(-1);
  tracker_.Change([&](Script* script) { script->places = {first, second}; });
  ASSERT_TRUE(Acquire().ok());
  EXPECT_EQ(places_, (std::vector<std::pair<int, double>>{{2, 40}, {1, -1}}));
}

TEST_F(LeaseKeeperTest, UnknownKeysAreNotFoundWithTheListOfKeys) {
  EXPECT_EQ(
      Acquire("rpi9").status(),
      absl::NotFoundError("no device has the key `rpi9`; there are `rpi3b`"));
  EXPECT_TRUE(notices_.empty());
}

TEST_F(LeaseKeeperTest, RepeatsWithTheSameTicket) {
  tracker_.Change([](Script* script) {
    script->acquire = {absl::UnavailableError("stopping"),
                       absl::UnavailableError("starting")};
  });
  ASSERT_TRUE(Acquire().ok());
  ASSERT_TRUE(Acquire().ok());
  const std::vector<std::string> tickets = tracker_.Read(&Script::tickets);
  ASSERT_EQ(tickets.size(), 4u);
  EXPECT_EQ(tickets[0].size(), 32u);
  EXPECT_EQ(tickets[1], tickets[0]);
  EXPECT_EQ(tickets[2], tickets[0]);
  EXPECT_NE(tickets[3], tickets[0]);
  EXPECT_TRUE(absl::StartsWith(
      Notices(), "the tracker does not answer: trying again in 0.1 s\n"))
      << Notices();
  const std::vector<double> waits = tracker_.Read(&Script::waits);
  EXPECT_LE(waits[0], 20);
  EXPECT_LT(waits[2], waits[0]);
}

TEST_F(LeaseKeeperTest, KeepsItsTicketWhenTheTrackerIsKilled) {
  tracker_.Change([](Script* script) { script->never_free = true; });
  std::thread killer([this] {
    tracker_.WaitUntil([](const Script& s) { return s.tickets.size() == 1; });
    tracker_.Stop();
    tracker_.Change([](Script* script) { script->never_free = false; });
    tracker_.Restart();
  });
  const auto keeper = Acquire();
  killer.join();
  ASSERT_TRUE(keeper.ok()) << keeper.status();
  const std::vector<std::string> tickets = tracker_.Read(&Script::tickets);
  ASSERT_EQ(tickets.size(), 2u);
  EXPECT_EQ(tickets[0], tickets[1]);
}

TEST_F(LeaseKeeperTest, WaitsNoLongerThanWished) {
  tracker_.Change([](Script* script) {
    script->acquire = {absl::DeadlineExceededError("all devices are lent")};
  });
  EXPECT_EQ(Acquire("rpi3b", 7).status(),
            absl::DeadlineExceededError(
                "no device of the key `rpi3b` was free within 7 s: all devices "
                "are lent"));
  tracker_.Stop();
  const int64_t start = MonotonicNanos();
  EXPECT_TRUE(absl::IsUnavailable(Acquire("rpi3b", 0.3).status()));
  EXPECT_LT(MonotonicNanos() - start, 2 * kSecond);
}

TEST_F(LeaseKeeperTest, CancellationEndsTheWaiting) {
  tracker_.Change([](Script* script) { script->never_free = true; });
  std::thread canceller([this] {
    tracker_.WaitUntil([](const Script& s) { return s.tickets.size() == 1; });
    cancellation_.Cancel(absl::CancelledError("the user wants it"));
  });
  const int64_t start = MonotonicNanos();
  EXPECT_EQ(Acquire().status(), absl::CancelledError("the user wants it"));
  EXPECT_LT(MonotonicNanos() - start, 2 * kSecond);
  canceller.join();
  EXPECT_EQ(tracker_.Read(&Script::withdrawn),
            std::set<std::string>{tracker_.Read(&Script::tickets)[0]});
}

TEST_F(LeaseKeeperTest, RejectsLeasesThatAreNotValid) {
  tracker_.Change([](Script* script) { script->address = "nowhere"; });
  EXPECT_TRUE(absl::IsInternal(Acquire().status()));
}

TEST_F(LeaseKeeperTest, RenewsWellWithinTheLease) {
  tracker_.Change([](Script* script) { script->lease_seconds = 0.3; });
  std::atomic<int> renewed = 0;
  events_.renewed = [&] { ++renewed; };
  const auto keeper = *Acquire();
  const std::string bytes = keeper->lease().bytes;
  const int64_t start = MonotonicNanos();
  EXPECT_TRUE(
      tracker_.WaitUntil([](const Script& s) { return s.renewals == 5; }));
  // Five thirds of the duration, with some tolerance for a busy machine.
  EXPECT_GE(MonotonicNanos() - start, kSecond * 4 / 10);
  EXPECT_TRUE(keeper->status().ok()) << keeper->status();
  EXPECT_NE(keeper->lease().bytes, bytes);
  EXPECT_GE(renewed, 4);
}

TEST_F(LeaseKeeperTest, TheEndOfTheLeaseCancelsItsCalls) {
  tracker_.Change([](Script* script) { script->lease_seconds = 0.3; });
  const auto keeper = *Acquire();
  tracker_.Change([](Script* script) { script->ended_token = 1; });
  EXPECT_EQ(
      WaitForLoss(*keeper),
      absl::AbortedError("the lease of rack1-03 was lost: the device is lost"));
  keeper->Release();
  EXPECT_TRUE(tracker_.Read(&Script::released).empty());
}

TEST_F(LeaseKeeperTest, ADeviceThatWasStartedElsewhereIsLost) {
  tracker_.Change([](Script* script) {
    script->lease_seconds = 0.3;
    script->address = "127.0.0.1:1234";
  });
  const auto keeper = *Acquire();
  tracker_.Change([](Script* script) { script->address = "127.0.0.1:1235"; });
  EXPECT_EQ(WaitForLoss(*keeper),
            absl::AbortedError("the lease of rack1-03 was lost: its server was "
                               "started again at 127.0.0.1:1235"));
  // The tracker does not know that the lease is not used any more.
  keeper->Release();
  EXPECT_EQ(tracker_.Read(&Script::released), std::set<int64_t>{1});
}

TEST_F(LeaseKeeperTest, SurvivesARestartOfTheTracker) {
  tracker_.Change([](Script* script) { script->lease_seconds = 2; });
  const auto keeper = *Acquire();
  tracker_.Stop();
  keeper->RenewSoon();
  Clock::Monotonic()->SleepNanos(kSecond * 8 / 10);
  tracker_.Restart();
  EXPECT_TRUE(
      tracker_.WaitUntil([](const Script& s) { return s.renewals > 0; }));
  EXPECT_TRUE(keeper->status().ok()) << keeper->status();
  EXPECT_TRUE(absl::StrContains(
      Notices(), "the tracker does not renew the lease of rack1-03 ("))
      << Notices();
}

TEST_F(LeaseKeeperTest, IsLostWhenItExpiresWithoutAnAnswer) {
  tracker_.Change([](Script* script) {
    script->lease_seconds = 0.4;
    script->renew = absl::UnauthenticatedError("no such token");
  });
  const int64_t start = MonotonicNanos();
  const auto keeper = *Acquire();
  const absl::Status lost = WaitForLoss(*keeper);
  EXPECT_EQ(lost, absl::AbortedError("the lease of rack1-03 was lost: the "
                                     "tracker did not renew it for 0.4 s: no "
                                     "such token"));
  EXPECT_GE(MonotonicNanos() - start, kSecond * 4 / 10);
  // The tracker may not know yet that the lease is not used any more.
  keeper->Release();
  EXPECT_EQ(tracker_.Read(&Script::released), std::set<int64_t>{1});
}

TEST_F(LeaseKeeperTest, AsksTheTrackerSoonIfTheDeviceIsSilent) {
  const auto keeper = *Acquire();
  tracker_.Change([](Script* script) { script->ended_token = 1; });
  const int64_t start = MonotonicNanos();
  keeper->RenewSoon();
  EXPECT_TRUE(absl::IsAborted(WaitForLoss(*keeper)));
  EXPECT_LT(MonotonicNanos() - start, 3 * kSecond);
}

TEST_F(LeaseKeeperTest, GivesUpADevice) {
  const auto keeper = *Acquire();
  keeper->GiveUp("the device does not answer");
  EXPECT_EQ(keeper->status(),
            absl::AbortedError("the lease of rack1-03 was lost: the device "
                               "does not answer"));
  keeper->Release();
  EXPECT_EQ(tracker_.Read(&Script::released), std::set<int64_t>{1});
}

TEST_F(LeaseKeeperTest, ReleaseDoesNotWaitForADeadTracker) {
  auto keeper = *Acquire();
  tracker_.Stop();
  const int64_t start = MonotonicNanos();
  keeper = nullptr;
  EXPECT_LT(MonotonicNanos() - start, 2 * kSecond);
}

}  // namespace
}  // namespace assay::rpc
