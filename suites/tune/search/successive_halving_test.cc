#include "suites/tune/search/successive_halving.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

constexpr int64_t kBudget = 200'000'000;

// A busy machine: usually a few percent of noise, sometimes much more.
double Noise(Rng& rng) {
  const double usual = 0.03 * (rng.UniformFloat(0, 1) + rng.UniformFloat(0, 1) +
                               rng.UniformFloat(0, 1) - 1.5);
  return rng.UniformFloat(0, 1) < 0.1 ? usual + 0.5 * rng.UniformFloat(-1, 1)
                                      : usual;
}

// Each observation takes a millisecond.
std::vector<Arm> Race(const std::vector<double>& means, uint64_t seed,
                      FakeClock* clock) {
  Rng rng(seed);
  auto arms = SuccessiveHalving(means.size(), kBudget, clock,
                                [&](size_t arm) -> absl::StatusOr<double> {
                                  clock->Advance(1'000'000);
                                  return means[arm] + Noise(rng);
                                });
  EXPECT_TRUE(arms.ok());
  return *std::move(arms);
}

TEST(SuccessiveHalvingTest, FindsTheBestOfNoisyArms) {
  std::vector<double> means(12, 0.02);
  means[7] = -0.05;
  int found = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    FakeClock clock;
    found += Race(means, seed, &clock)[0].index == 7;
  }
  EXPECT_GE(found, 48);
}

// If all arms are equal, the best of them seems better than it is. Its upper
// value seldom does.
TEST(SuccessiveHalvingTest, TheUpperValueOutlivesTheChoice) {
  const std::vector<double> means(12, 0.0);
  int below = 0, estimates_below = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    FakeClock clock;
    const Arm best = Race(means, seed, &clock)[0];
    below += best.Upper() < 0;
    estimates_below += best.Estimate() < 0;
  }
  EXPECT_GE(estimates_below, 120);
  EXPECT_LE(below, 12);
}

TEST(SuccessiveHalvingTest, SpendsItsTimeOnArmsThatAreLeft) {
  FakeClock clock;
  const std::vector<Arm> arms = Race({0.3, 0.2, 0.1, 0.0}, 1, &clock);
  EXPECT_EQ(arms[0].index, 3u);
  EXPECT_GT(arms[0].observations.size(), arms[1].observations.size());
  EXPECT_GT(arms[1].observations.size(), arms[3].observations.size());
  EXPECT_GE(arms[3].observations.size(), 2u);
  EXPECT_LE(clock.NowNanos(), 220'000'000);
}

TEST(SuccessiveHalvingTest, ObservesEachArmWhateverTheTime) {
  FakeClock clock;
  const auto arms = SuccessiveHalving(3, /*budget_nanos=*/0, &clock,
                                      [](size_t arm) -> absl::StatusOr<double> {
                                        return static_cast<double>(arm);
                                      });
  ASSERT_TRUE(arms.ok());
  ASSERT_EQ(arms->size(), 3u);
  for (const Arm& arm : *arms) EXPECT_GE(arm.observations.size(), 2u);
  EXPECT_EQ((*arms)[0].index, 0u);
  EXPECT_EQ((*arms)[0].Estimate(), 0);
  EXPECT_EQ((*arms)[0].Upper(), 3 * kLeastError);
}

// The best arm fails when it has been observed twice. It must not take the
// place of another arm, nor the time of further observations.
TEST(SuccessiveHalvingTest, ArmsThatFailLose) {
  FakeClock clock;
  int observed = 0;  // the arm that fails
  const auto arms = SuccessiveHalving(
      4, kBudget, &clock, [&](size_t arm) -> absl::StatusOr<double> {
        clock.Advance(1'000'000);
        if (arm == 0 && ++observed > 2) {
          return std::numeric_limits<double>::infinity();
        }
        return static_cast<double>(arm);
      });
  ASSERT_TRUE(arms.ok());
  EXPECT_EQ(observed, 3);
  std::vector<size_t> order;
  for (const Arm& arm : *arms) order.push_back(arm.index);
  EXPECT_EQ(order, (std::vector<size_t>{1, 2, 3, 0}));
  EXPECT_TRUE(arms->back().Failed());
  EXPECT_TRUE(std::isinf(arms->back().Estimate()));
  EXPECT_TRUE(std::isinf(arms->back().Upper()));
  EXPECT_FALSE((*arms)[0].Failed());
}

TEST(SuccessiveHalvingTest, AllArmsMayFail) {
  FakeClock clock;
  int observed = 0;
  const auto arms = SuccessiveHalving(
      3, kBudget, &clock, [&](size_t) -> absl::StatusOr<double> {
        ++observed;
        return std::numeric_limits<double>::infinity();
      });
  ASSERT_TRUE(arms.ok());
  EXPECT_EQ(arms->size(), 3u);
  EXPECT_EQ(observed, 3);
}

TEST(SuccessiveHalvingTest, ReturnsTheFirstError) {
  FakeClock clock;
  const auto arms = SuccessiveHalving(2, kBudget, &clock,
                                      [](size_t) -> absl::StatusOr<double> {
                                        return absl::AbortedError("lost");
                                      });
  EXPECT_TRUE(absl::IsAborted(arms.status()));
  EXPECT_TRUE(SuccessiveHalving(0, kBudget, &clock, [](size_t) {
                return absl::StatusOr<double>(0.0);
              })->empty());
}

}  // namespace
}  // namespace assay::suites
