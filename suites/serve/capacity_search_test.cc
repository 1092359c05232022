#include "suites/serve/capacity_search.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "suites/serve/load_generator.h"
#include "suites/serve/testing/simulated_servers.h"

namespace assay::suites {
namespace {

TEST(CapacitySearchTest, FindsAKnownCapacity) {
  for (const double capacity : {0.5, 70.0, 123.0, 1000.0}) {
    CapacityOptions options;
    options.first_rate = 80;
    const auto found = FindCapacity(
        [&](double rate, int64_t, bool) { return rate <= capacity; }, options);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_LE(found->rate, capacity);
    EXPECT_GE(found->rate, capacity / 1.03);
    EXPECT_LE(found->probes.size(), 20u);
  }
}

TEST(CapacitySearchTest, LuckyRunsAreNotConfirmed) {
  CapacityOptions options;
  options.first_rate = 80;
  // Runs above the true capacity succeed only in the search.
  const auto found = FindCapacity(
      [&](double rate, int64_t, bool confirms) {
        return rate <= 100 || (!confirms && rate < 130);
      },
      options);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_LE(found->rate, 100);
  EXPECT_GT(found->rate, 96);
  EXPECT_TRUE(found->probes.back().confirms && found->probes.back().met);
}

TEST(CapacitySearchTest, NoRateMeetsAnImpossibleBound) {
  const auto found = FindCapacity([](double, int64_t, bool) { return false; },
                                  CapacityOptions());
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->rate, 0);
  EXPECT_LE(found->probes.size(), 8u);
}

TEST(CapacitySearchTest, ErrorsEndTheSearch) {
  const auto found = FindCapacity(
      [](double, int64_t, bool) -> absl::StatusOr<bool> {
        return absl::InternalError("broken");
      },
      CapacityOptions());
  EXPECT_EQ(found.status().message(), "broken");
}

// With one instance that takes 10 ms and a bound that is far above, the
// capacity is close to 100 queries a second. By theory, the 99th percentile of
// the waiting time at the utilization u is about s ln(100 u) / (2 (1 - u)).
TEST(CapacitySearchTest, FindsTheCapacityOfSimulatedServers) {
  SimulatedServers servers(1, 1, [](int64_t) { return int64_t{10'000'000}; });
  LoadOptions load;
  load.scenario = Scenario::kServer;
  load.rules.min_queries = 60000;
  load.bound_s = 0.060;
  CapacityOptions options;
  options.first_rate = 50;
  options.resolution = 0.01;
  const auto found = FindCapacity(
      [&](double rate, int64_t run, bool) -> absl::StatusOr<bool> {
        load.rate = rate;
        load.seed = static_cast<uint64_t>(run);
        const auto result = RunLoad(servers, load);
        if (!result.ok()) return result.status();
        return result->Latency(0.99).value <= *load.bound_s;
      },
      options);
  ASSERT_TRUE(found.ok()) << found.status();
  // 0.010 * ln(64) / (2 * (1 - 0.64)) = 0.058, plus 0.010 of service, is a bit
  // more than the bound.
  EXPECT_GT(found->rate, 55);
  EXPECT_LT(found->rate, 70);
}

}  // namespace
}  // namespace assay::suites
