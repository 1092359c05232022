#include "rpc/client/retry.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

class RetryTest : public testing::Test {
 protected:
  // Calls a peer that returns `answers` in turn, and the last one forever.
  absl::Status Call(int64_t deadline, std::vector<absl::Status> answers) {
    Retry retry("the tracker", &clock_, &cancellation_,
                [this](const std::string& text) { notices_.push_back(text); });
    return retry.Call(deadline, [&](int64_t left) {
      starts_.push_back(clock_.NowNanos());
      left_.push_back(left);
      const size_t i = std::min(starts_.size() - 1, answers.size() - 1);
      if (starts_.size() == cancel_in_) {
        cancellation_.Cancel(absl::CancelledError("the user wants it"));
      }
      return answers[i];
    });
  }

  const absl::Status away_ = absl::UnavailableError("no route");
  FakeClock clock_;
  Cancellation cancellation_;
  std::vector<int64_t> starts_;
  std::vector<int64_t> left_;
  std::vector<std::string> notices_;
  size_t cancel_in_ = 0;  // the number of the call that is cancelled
};

TEST_F(RetryTest, RepeatsUntilThePeerAnswers) {
  EXPECT_TRUE(Call(60 * kSecond, {away_, away_, absl::OkStatus()}).ok());
  ASSERT_EQ(starts_.size(), 3u);
  EXPECT_EQ(notices_.size(), 2u);
  EXPECT_TRUE(absl::StartsWith(
      notices_[0], "the tracker does not answer: trying again in 0.1 s"))
      << notices_[0];
  EXPECT_EQ(left_[0], 60 * kSecond);
  EXPECT_EQ(left_[2], 60 * kSecond - starts_[2]);
}

TEST_F(RetryTest, WaitsDoubleUpToTheirMaximum) {
  EXPECT_FALSE(Call(60 * kSecond, {away_}).ok());
  ASSERT_GT(starts_.size(), 25u);
  int64_t longest = kFirstRetryNanos;
  for (size_t i = 1; i < starts_.size(); ++i) {
    const int64_t wait = starts_[i] - starts_[i - 1];
    EXPECT_GE(wait, longest / 2);
    EXPECT_LE(wait, longest);
    longest = std::min(2 * longest, kMaxRetryNanos);
  }
}

TEST_F(RetryTest, WaitsAreRandom) {
  std::set<int64_t> waits;
  for (int i = 0; i < 20; ++i) {
    starts_.clear();
    clock_ = FakeClock();
    EXPECT_TRUE(Call(60 * kSecond, {away_, absl::OkStatus()}).ok());
    waits.insert(starts_[1]);
  }
  EXPECT_GT(waits.size(), 10u);
}

TEST_F(RetryTest, EndsBeforeTheDeadline) {
  const absl::Status status = Call(10 * kSecond, {away_});
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_TRUE(absl::StartsWith(status.message(), "the tracker did not answer"));
  EXPECT_TRUE(absl::StrContains(status.message(), "no route"));
  EXPECT_LE(clock_.NowNanos(), 10 * kSecond);
  EXPECT_GE(clock_.NowNanos(), 8 * kSecond);
}

TEST_F(RetryTest, CallsOnceAfterTheDeadline) {
  EXPECT_TRUE(absl::IsUnavailable(Call(0, {away_})));
  EXPECT_EQ(starts_.size(), 1u);
  EXPECT_EQ(left_[0], 0);
}

TEST_F(RetryTest, ReturnsOtherErrorsAtOnce) {
  for (int code = 1; code <= 16; ++code) {
    if (code == static_cast<int>(absl::StatusCode::kUnavailable)) continue;
    starts_.clear();
    const absl::Status error(static_cast<absl::StatusCode>(code), "so it is");
    EXPECT_EQ(Call(60 * kSecond, {error}), error);
    EXPECT_EQ(starts_.size(), 1u);
  }
  EXPECT_EQ(clock_.NowNanos(), 0);
  EXPECT_TRUE(notices_.empty());
}

TEST_F(RetryTest, CancellationEndsTheWait) {
  cancel_in_ = 3;
  EXPECT_EQ(Call(60 * kSecond, {away_}),
            absl::CancelledError("the user wants it"));
  EXPECT_EQ(starts_.size(), 3u);
  EXPECT_EQ(Call(60 * kSecond, {absl::OkStatus()}),
            absl::CancelledError("the user wants it"));
  EXPECT_EQ(starts_.size(), 3u);
}

TEST_F(RetryTest, CancellationReplacesTheErrorOfTheCall) {
  cancel_in_ = 1;
  EXPECT_EQ(Call(60 * kSecond, {absl::InternalError("cut off")}),
            absl::CancelledError("the user wants it"));
}

}  // namespace
}  // namespace assay::rpc
