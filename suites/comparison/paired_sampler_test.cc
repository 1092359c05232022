#include "suites/comparison/paired_sampler.h"

#include <cmath>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

// A program that takes a set time and writes down its name and how often it
// ran.
Arm Taking(char name, int64_t nanos, FakeClock* clock, std::string* log) {
  return {std::string(1, name), [=](int64_t number) -> absl::StatusOr<int64_t> {
            clock->Advance(nanos * number);
            if (number > 1) log->push_back(name);
            return nanos * number;
          }};
}

TEST(PairedSamplerTest, BothArmsRunEquallyOftenInABalancedOrder) {
  FakeClock clock;
  std::string log;
  PairedOptions options;
  options.sample_nanos = 1000;
  PairedSampler sampler(
      {Taking('a', 10, &clock, &log), Taking('b', 11, &clock, &log)}, options,
      &clock);
  ASSERT_TRUE(sampler.RunBlock().ok());
  EXPECT_EQ(sampler.number(), 100);
  EXPECT_EQ(sampler.rounds(), 2);
  log.clear();
  int b_first = 0;
  for (int i = 0; i < 20; ++i) {
    log.clear();
    ASSERT_TRUE(sampler.RunBlock().ok());
    EXPECT_TRUE(log == "abba" || log == "baab") << log;
    b_first += log == "baab" ? 1 : 0;
  }
  EXPECT_GT(b_first, 3);
  EXPECT_LT(b_first, 17);
  ASSERT_EQ(sampler.LogRatios(1).size(), 42u);
  for (const double ratio : sampler.LogRatios(1)) {
    EXPECT_NEAR(ratio, std::log(1.1), 1e-12);
  }
  EXPECT_EQ(sampler.samples_ns(0)[7], 10);
  EXPECT_EQ(sampler.spent_nanos(), clock.NowNanos());
}

TEST(PairedSamplerTest, TheNumberIsOfTheFirstArmAndAMultiple) {
  FakeClock clock;
  std::string log;
  PairedOptions options;
  options.sample_nanos = 1000;
  options.number_multiple = 40;
  PairedSampler sampler(
      {Taking('a', 10, &clock, &log), Taking('b', 500, &clock, &log)}, options,
      &clock);
  ASSERT_TRUE(sampler.RunBlock().ok());
  EXPECT_EQ(sampler.number(), 120);  // nearer to 100 than 80 is; halves go up
}

TEST(PairedSamplerTest, LongRunsAreSampledOneByOne) {
  FakeClock clock;
  int runs = 0;
  const Arm arm = {"slow", [&](int64_t number) -> absl::StatusOr<int64_t> {
                     runs += static_cast<int>(number);
                     return 5'000'000 * number;
                   }};
  PairedSampler sampler({arm, arm}, {}, &clock);
  ASSERT_TRUE(sampler.RunBlock().ok());
  EXPECT_EQ(sampler.number(), 1);
  runs = 0;
  ASSERT_TRUE(sampler.RunBlock().ok());
  EXPECT_EQ(runs, 4);  // none that is not timed
}

TEST(PairedSamplerTest, ErrorsAndAStandingClockEndIt) {
  FakeClock clock;
  const Arm broken = {"broken", [](int64_t) -> absl::StatusOr<int64_t> {
                        return absl::UnavailableError("gone");
                      }};
  const Arm sound = {"sound", [](int64_t number) -> absl::StatusOr<int64_t> {
                       return number;
                     }};
  const Arm timeless = {"timeless",
                        [](int64_t) -> absl::StatusOr<int64_t> { return 0; }};
  EXPECT_EQ(PairedSampler({sound, broken}, {}, &clock).RunBlock().message(),
            "gone");
  EXPECT_EQ(PairedSampler({timeless, sound}, {}, &clock).RunBlock().code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace assay::suites
