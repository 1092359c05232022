#include "rpc/client/block/thermal_guard.h"

#include <deque>
#include <optional>
#include <vector>

#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

constexpr double kSecond = 1e9;

class ThermalGuardTest : public testing::Test {
 protected:
  ThermalGuardTest() {
    limits_.max_celsius = 70;
    limits_.max_wait_seconds = 10;
    limits_.reject_throttled = true;
    device_.name = "rack1-03";
    device_.read_state = [this]() -> absl::StatusOr<DeviceState> {
      ++reads_;
      return StateOf(Next(&temperatures_, 50.0), false);
    };
    device_.sleep = [this](int64_t nanos) {
      clock_.Advance(nanos);
      return sleep_error_;
    };
  }

  static DeviceState StateOf(std::optional<double> celsius, bool throttled) {
    DeviceState state;
    if (celsius.has_value()) state.set_temperature_celsius(*celsius);
    if (throttled) state.set_throttled(true);
    return state;
  }

  template <typename T>
  static T Next(std::deque<T>* values, T last) {
    if (values->empty()) return last;
    const T value = values->front();
    if (values->size() > 1) values->pop_front();
    return value;
  }

  absl::Status RunBlock() {
    if (guard_ == std::nullopt) {
      guard_.emplace(
          limits_, [this](const std::string& text) { notice_ = text; },
          &clock_);
    }
    const auto result =
        guard_->Run(device_, [this]() -> absl::StatusOr<BlockResult> {
          if (!block_error_.ok()) return block_error_;
          ++blocks_;
          BlockResult result;
          result.samples.resize(static_cast<size_t>(blocks_));
          result.before = StateOf(50, Next(&throttled_before_, false));
          result.after = StateOf(after_, Next(&throttled_after_, false));
          return result;
        });
    if (!result.ok()) return result.status();
    EXPECT_EQ(result->samples.size(), static_cast<size_t>(blocks_));
    return absl::OkStatus();
  }

  FakeClock clock_;
  ThermalLimits limits_;
  ThermalGuard::Device device_;
  std::optional<ThermalGuard> guard_;
  // What the device reports; the last value is repeated.
  std::deque<double> temperatures_;
  std::deque<bool> throttled_before_, throttled_after_;
  std::optional<double> after_ = 60;  // its temperature after a block
  absl::Status sleep_error_, block_error_;
  int reads_ = 0, blocks_ = 0;
  std::string notice_;
};

TEST_F(ThermalGuardTest, ACoolDeviceIsAskedOnlyBeforeTheFirstBlock) {
  EXPECT_TRUE(RunBlock().ok());
  EXPECT_TRUE(RunBlock().ok());
  EXPECT_EQ(reads_, 1);
  EXPECT_EQ(clock_.NowNanos(), FakeClock().NowNanos());
  guard_->Forget();
  EXPECT_TRUE(RunBlock().ok());
  EXPECT_EQ(reads_, 2);
}

TEST_F(ThermalGuardTest, WaitsUntilTheDeviceIsCool) {
  temperatures_ = {80, 75.25, 70.1, 70};
  const int64_t start = clock_.NowNanos();
  EXPECT_TRUE(RunBlock().ok());
  EXPECT_EQ(reads_, 4);
  EXPECT_EQ(blocks_, 1);
  EXPECT_EQ(clock_.NowNanos() - start, 3 * kSecond);
  EXPECT_EQ(notice_,
            "waiting until rack1-03 has cooled from 70.1 to 70.0 degrees "
            "Celsius");
  // The next block heats the device.
  after_ = 71;
  EXPECT_TRUE(RunBlock().ok());
  EXPECT_EQ(reads_, 4);
  temperatures_ = {71, 69};
  EXPECT_TRUE(RunBlock().ok());
  EXPECT_EQ(reads_, 6);
}

TEST_F(ThermalGuardTest, FailsIfTheDeviceStaysHot) {
  temperatures_ = {80, 74.25};
  EXPECT_EQ(RunBlock(),
            absl::UnavailableError(
                "rack1-03 still has 74.2 degrees Celsius after 10 s; it is "
                "measured at 70.0 or less (`thermal.max_celsius` of its device "
                "file)"));
  EXPECT_EQ(blocks_, 0);
  // The wait begins again with each block.
  temperatures_ = {80, 60};
  EXPECT_TRUE(RunBlock().ok());
}

TEST_F(ThermalGuardTest, ABlockOfAThrottledDeviceIsTakenAgain) {
  throttled_before_ = {false, true, false};
  throttled_after_ = {true, false};
  EXPECT_TRUE(RunBlock().ok());
  EXPECT_EQ(blocks_, 3);
  EXPECT_EQ(guard_->discarded(), 2);
  EXPECT_EQ(notice_, "rack1-03 was throttled: measuring the block again");
}

TEST_F(ThermalGuardTest, FailsIfTheDeviceStaysThrottled) {
  throttled_after_ = {true};
  EXPECT_EQ(RunBlock(),
            absl::UnavailableError(
                "rack1-03 was throttled by its firmware in all blocks for 10 "
                "s, because it is too hot or its supply voltage is too low"));
  EXPECT_EQ(blocks_, 11);
}

TEST_F(ThermalGuardTest, ThrottledBlocksCountUnlessTheyAreRejected) {
  limits_.reject_throttled = false;
  throttled_after_ = {true};
  EXPECT_TRUE(RunBlock().ok());
  EXPECT_EQ(blocks_, 1);
}

TEST_F(ThermalGuardTest, WhatADeviceDoesNotReportHasNoEffect) {
  after_ = std::nullopt;
  device_.read_state = []() -> absl::StatusOr<DeviceState> {
    return DeviceState();
  };
  EXPECT_TRUE(RunBlock().ok());
  EXPECT_TRUE(RunBlock().ok());
  EXPECT_EQ(blocks_, 2);
}

TEST_F(ThermalGuardTest, ReturnsTheErrorsOfTheDevice) {
  sleep_error_ = absl::AbortedError("the lease was lost");
  temperatures_ = {80};
  EXPECT_EQ(RunBlock(), sleep_error_);
  temperatures_ = {60};
  block_error_ = absl::InternalError("the worker failed");
  EXPECT_EQ(RunBlock(), block_error_);
  guard_->Forget();
  device_.read_state = []() -> absl::StatusOr<DeviceState> {
    return absl::DeadlineExceededError("no answer");
  };
  EXPECT_EQ(RunBlock(), absl::DeadlineExceededError("no answer"));
}

}  // namespace
}  // namespace assay::rpc
