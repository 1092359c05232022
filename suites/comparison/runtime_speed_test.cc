#include "suites/comparison/runtime_speed.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/measure/testing/fake_session.h"

namespace assay::suites {
namespace {

using ::testing::SizeIs;

class RuntimeSpeedTest : public ::testing::Test {
 protected:
  // A runtime whose runs take `nanos`, times a factor that changes from load to
  // load by up to 1 %. Logs its loads in seeds_ and its rounds in rounds_.
  RuntimeLoader Runtime(const std::string& name, int64_t nanos) {
    return [this, name, nanos](uint64_t seed) -> absl::StatusOr<LoadedRuntime> {
      seeds_[name].insert(seed);
      order_ += name;
      auto session = std::make_unique<runtime::FakeSession>(&clock_);
      const int64_t of_load =
          nanos + nanos / 100 * (static_cast<int64_t>(seed % 1000) - 500) / 500;
      session->run = [of_load](int, int64_t number) {
        return number * of_load;
      };
      LoadedRuntime result;
      result.session = std::move(session);
      result.begin_round = [this, name](int64_t round) {
        rounds_[name].push_back(round);
        return absl::OkStatus();
      };
      return result;
    };
  }

  FakeClock clock_;
  std::map<std::string, std::set<uint64_t>> seeds_;
  std::map<std::string, std::vector<int64_t>> rounds_;
  std::string order_;
};

TEST_F(RuntimeSpeedTest, GivesTheRatioOfTheTimes) {
  const auto speed = CompareRuntimes(
      {Runtime("a", 1'000'000), Runtime("b", 1'500'000), 2}, {}, &clock_);
  ASSERT_TRUE(speed.ok()) << speed.status();
  EXPECT_NEAR(speed->typical.value, 1.5, 0.02);
  EXPECT_LT(speed->typical.lower, speed->typical.value);
  EXPECT_GT(speed->typical.upper, speed->typical.value);
  EXPECT_NEAR(speed->fastest.value, 1.5, 0.02);
  EXPECT_NEAR(speed->ours_ns, 1e6, 1e4);
  EXPECT_NEAR(speed->other_ns, 1.5e6, 1.5e4);
  EXPECT_EQ(speed->loads, 12);
}

TEST_F(RuntimeSpeedTest, LoadsBothAnewInRandomOrderWithTheSameInputs) {
  const auto speed = CompareRuntimes(
      {Runtime("a", 1'000'000), Runtime("b", 1'000'000), 2}, {}, &clock_);
  ASSERT_TRUE(speed.ok()) << speed.status();
  // Another load chooses the number of runs per sample.
  EXPECT_THAT(seeds_["a"], SizeIs(13));
  EXPECT_THAT(seeds_["b"], SizeIs(13));
  EXPECT_NE(order_.find("abba"), std::string::npos) << order_;
  EXPECT_EQ(rounds_["a"], rounds_["b"]);
}

TEST_F(RuntimeSpeedTest, StopsWhenTheBudgetIsSpent) {
  RuntimeSpeedOptions options;
  options.budget_s = 1;
  const auto speed = CompareRuntimes(
      {Runtime("a", 1'000'000'000), Runtime("b", 1'000'000'000), 2}, options,
      &clock_);
  ASSERT_TRUE(speed.ok()) << speed.status();
  EXPECT_EQ(speed->loads, kMinRuntimeLoads);
}

TEST_F(RuntimeSpeedTest, ReturnsTheErrorOfALoader) {
  const RuntimeLoader broken = [](uint64_t) {
    return absl::InternalError("no memory");
  };
  const auto speed =
      CompareRuntimes({Runtime("a", 1'000'000), broken, 1}, {}, &clock_);
  EXPECT_EQ(speed.status(), absl::InternalError("no memory"));
}

}  // namespace
}  // namespace assay::suites
