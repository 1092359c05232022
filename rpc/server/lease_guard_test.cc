#include "rpc/server/lease_guard.h"

#include <atomic>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/server/testing/test_tracker.h"
#include "runtime/base/clock.h"

namespace assay::rpc {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

class LeaseGuardTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(guard_.SetKey(tracker_.public_pem(), 1).ok());
    guard_.SetListener([this] { ++changes_; });
  }
  ~LeaseGuardTest() override { guard_.SetListener(nullptr); }

  absl::Status Check(int64_t token, int64_t renewals = 0, double seconds = 10) {
    return guard_
        .Check(tracker_.Sign({"board", "ann", token, renewals, seconds}))
        .status();
  }
  absl::StatusCode CodeOf(const std::string& lease) {
    return guard_.Check(lease).status().code();
  }

  const SigningTracker tracker_;
  FakeClock clock_;
  LeaseGuard guard_{"board", &clock_};
  int changes_ = 0;
};

TEST_F(LeaseGuardTest, AdmitsTheHolder) {
  const auto holder = guard_.Check(tracker_.Sign({"board", "ann", 7}));
  ASSERT_TRUE(holder.ok()) << holder.status();
  EXPECT_EQ(holder->token, 7);
  EXPECT_EQ(holder->user, "ann");
  EXPECT_TRUE(guard_.CheckToken(7).ok());
  EXPECT_EQ(guard_.NextExpiryNanos(), 10 * kSecond);
}

TEST_F(LeaseGuardTest, IsUnavailableBeforeTheKey) {
  LeaseGuard guard("board", &clock_);
  EXPECT_TRUE(absl::IsUnavailable(
      guard.Check(tracker_.Sign({"board", "ann", 7})).status()));
  EXPECT_TRUE(absl::IsUnavailable(guard.Check("nonsense").status()));
  EXPECT_TRUE(absl::IsAborted(guard.CheckToken(7)));
}

TEST_F(LeaseGuardTest, RejectsLeasesThatTheTrackerHasNotSigned) {
  const auto kDenied = absl::StatusCode::kUnauthenticated;
  const std::string good = tracker_.Sign({"board", "ann", 7});
  EXPECT_EQ(CodeOf(""), kDenied);
  EXPECT_EQ(CodeOf("nonsense"), kDenied);
  EXPECT_EQ(CodeOf(std::string(100000, 'x')), kDenied);
  EXPECT_EQ(CodeOf(SigningTracker().Sign({"board", "ann", 7})), kDenied);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string damaged = good;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_EQ(CodeOf(damaged), kDenied) << i;
    EXPECT_EQ(CodeOf(good.substr(0, i)), kDenied) << i;
  }
  EXPECT_EQ(CodeOf(tracker_.SignTerms("", SignaturePurpose::kArtifact)),
            kDenied);
  EXPECT_EQ(changes_, 0);
  EXPECT_EQ(CodeOf(good), absl::StatusCode::kOk);
}

TEST_F(LeaseGuardTest, RejectsTermsThatAreNotValid) {
  const auto kDenied = absl::StatusCode::kUnauthenticated;
  EXPECT_EQ(CodeOf(tracker_.SignTerms("\xff\xff")), kDenied);
  EXPECT_EQ(CodeOf(tracker_.SignTerms("")), kDenied);
  EXPECT_EQ(CodeOf(tracker_.Sign({"other", "ann", 7})), kDenied);
  EXPECT_EQ(CodeOf(tracker_.Sign({"board", "ann", -1})), kDenied);
  EXPECT_EQ(CodeOf(tracker_.Sign({"board", "ann", 7, -1})), kDenied);
  EXPECT_EQ(CodeOf(tracker_.Sign({"board", std::string(65, 'a'), 7})), kDenied);
  for (const double seconds :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(CodeOf(tracker_.Sign({"board", "ann", 7, 0, seconds})), kDenied);
  }
  const auto other = guard_.Check(tracker_.Sign({"oth\ner", "ann", 7}));
  EXPECT_THAT(std::string(other.status().message()), HasSubstr("`oth\\ner`"));
}

TEST_F(LeaseGuardTest, AbsurdDurationsAreCut) {
  EXPECT_TRUE(Check(7, 0, 1e300).ok());
  EXPECT_EQ(guard_.NextExpiryNanos(), 86400 * kSecond);
  EXPECT_TRUE(Check(8, 0, std::numeric_limits<double>::infinity()).ok());
  EXPECT_EQ(guard_.NextExpiryNanos(), 86400 * kSecond);
}

TEST_F(LeaseGuardTest, AHigherTokenReplacesTheLease) {
  ASSERT_TRUE(Check(7).ok());
  EXPECT_EQ(changes_, 1);
  ASSERT_TRUE(Check(9).ok());
  EXPECT_EQ(changes_, 2);
  EXPECT_TRUE(absl::IsAborted(guard_.CheckToken(7)));
  for (const int64_t renewals : {0, 1, 1000}) {
    const absl::Status stale = Check(7, renewals);
    EXPECT_TRUE(absl::IsAborted(stale)) << stale;
    EXPECT_THAT(std::string(stale.message()), HasSubstr("by the lease 9"));
  }
  EXPECT_TRUE(absl::IsAborted(Check(8)));
  EXPECT_TRUE(guard_.CheckToken(9).ok());
  EXPECT_EQ(changes_, 2);
  // Also after the lease with the higher token has ended.
  guard_.Ended(9);
  EXPECT_TRUE(absl::IsAborted(Check(7)));
  EXPECT_TRUE(absl::IsAborted(Check(8)));
}

TEST_F(LeaseGuardTest, ExpiresByTheMonotonicClock) {
  ASSERT_TRUE(Check(7).ok());
  clock_.Advance(10 * kSecond - 1);
  EXPECT_TRUE(Check(7).ok());
  EXPECT_TRUE(guard_.CheckToken(7).ok());
  clock_.Advance(1);
  EXPECT_TRUE(absl::IsAborted(guard_.CheckToken(7)));
  EXPECT_TRUE(absl::IsAborted(Check(7)));
  EXPECT_EQ(guard_.NextExpiryNanos(), kNever);
}

TEST_F(LeaseGuardTest, OnlyANewerRenewalProlongs) {
  ASSERT_TRUE(Check(7, 3).ok());
  clock_.Advance(6 * kSecond);
  EXPECT_TRUE(Check(7, 3).ok());
  EXPECT_TRUE(Check(7, 0).ok());
  EXPECT_EQ(guard_.NextExpiryNanos(), 10 * kSecond);
  EXPECT_EQ(changes_, 1);
  EXPECT_TRUE(Check(7, 4).ok());
  EXPECT_EQ(guard_.NextExpiryNanos(), 16 * kSecond);
  EXPECT_EQ(changes_, 2);
  clock_.Advance(10 * kSecond);
  EXPECT_TRUE(absl::IsAborted(Check(7, 3)));
  EXPECT_TRUE(absl::IsAborted(Check(7, 4)));
  // The holder has renewed the lease at the tracker, but made no calls.
  EXPECT_TRUE(Check(7, 5).ok());
  EXPECT_TRUE(guard_.CheckToken(7).ok());
}

TEST_F(LeaseGuardTest, AnEndedLeaseStaysEnded) {
  ASSERT_TRUE(Check(7).ok());
  guard_.Ended(7);
  EXPECT_EQ(changes_, 2);
  EXPECT_TRUE(absl::IsAborted(guard_.CheckToken(7)));
  EXPECT_TRUE(absl::IsAborted(Check(7, 1)));
  EXPECT_EQ(guard_.NextExpiryNanos(), kNever);
  // A lease that the guard has not seen yet.
  guard_.Ended(9);
  EXPECT_TRUE(absl::IsAborted(Check(9)));
  EXPECT_TRUE(absl::IsAborted(Check(8)));
  guard_.Ended(3);
  EXPECT_TRUE(absl::IsAborted(Check(9)));
  EXPECT_TRUE(Check(10).ok());
}

TEST_F(LeaseGuardTest, LeasesBelowTheLeastTokenHaveEnded) {
  ASSERT_TRUE(Check(7).ok());
  ASSERT_TRUE(guard_.SetKey(tracker_.public_pem(), 7).ok());
  EXPECT_TRUE(guard_.CheckToken(7).ok());
  ASSERT_TRUE(guard_.SetKey(tracker_.public_pem(), 20).ok());
  EXPECT_TRUE(absl::IsAborted(guard_.CheckToken(7)));
  EXPECT_TRUE(absl::IsAborted(Check(19)));
  // The limit never sinks.
  ASSERT_TRUE(guard_.SetKey(tracker_.public_pem(), 1).ok());
  EXPECT_TRUE(absl::IsAborted(Check(19)));
  EXPECT_TRUE(Check(20).ok());
}

TEST_F(LeaseGuardTest, ExtremeTokensAreOrdered) {
  ASSERT_TRUE(
      guard_.SetKey(tracker_.public_pem(), std::numeric_limits<int64_t>::min())
          .ok());
  EXPECT_TRUE(absl::IsAborted(Check(0)));
  EXPECT_TRUE(Check(kNever).ok());
  EXPECT_TRUE(absl::IsAborted(Check(kNever - 1)));
  guard_.Ended(kNever);
  EXPECT_TRUE(absl::IsAborted(Check(kNever, 1)));
}

TEST_F(LeaseGuardTest, AnotherTrackerCountsAnew) {
  ASSERT_TRUE(Check(1000).ok());
  const SigningTracker other;
  ASSERT_TRUE(guard_.SetKey(other.public_pem(), 1).ok());
  EXPECT_TRUE(absl::IsAborted(guard_.CheckToken(1000)));
  EXPECT_TRUE(absl::IsUnauthenticated(Check(1001)));
  EXPECT_TRUE(guard_.Check(other.Sign({"board", "ann", 1})).ok());
}

TEST_F(LeaseGuardTest, ABadKeyChangesNothing) {
  EXPECT_TRUE(absl::IsInvalidArgument(guard_.SetKey("", 100)));
  EXPECT_TRUE(absl::IsInvalidArgument(guard_.SetKey(
      tracker_.public_pem() + SigningTracker().public_pem(), 100)));
  EXPECT_TRUE(Check(7).ok());
}

TEST_F(LeaseGuardTest, TheListenerCanAsk) {
  absl::Status seen;
  guard_.SetListener([&] { seen = guard_.CheckToken(7); });
  ASSERT_TRUE(Check(7).ok());
  EXPECT_TRUE(seen.ok()) << seen;
  ASSERT_TRUE(Check(8).ok());
  EXPECT_TRUE(absl::IsAborted(seen));
}

TEST_F(LeaseGuardTest, ThreadsNeverAdmitAStaleToken) {
  std::vector<std::string> leases;
  for (int64_t token = 0; token < 40; ++token) {
    leases.push_back(tracker_.Sign({"board", "ann", token}));
  }
  guard_.SetListener([this] { guard_.NextExpiryNanos(); });
  std::atomic<int64_t> highest{-1};
  std::atomic<int> wrong{0};
  const auto present = [&] {
    for (size_t i = 0; i < leases.size(); ++i) {
      const int64_t before = highest.load();
      const auto holder = guard_.Check(leases[i]);
      if (!holder.ok()) continue;
      if (holder->token < before) ++wrong;
      int64_t old = highest.load();
      while (old < holder->token &&
             !highest.compare_exchange_weak(old, holder->token)) {
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(present);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(highest.load(), 39);
}

}  // namespace
}  // namespace assay::rpc
