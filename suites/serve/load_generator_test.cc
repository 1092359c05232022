#include "suites/serve/load_generator.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "suites/serve/testing/simulated_servers.h"

namespace assay::suites {
namespace {

constexpr int64_t kMilli = 1'000'000;

SimulatedServers Deterministic(int instances, int64_t millis,
                               int64_t batch = 1) {
  return SimulatedServers(instances, batch,
                          [=](int64_t) { return millis * kMilli; });
}

LoadOptions ServerAt(double rate, int64_t queries) {
  LoadOptions options;
  options.scenario = Scenario::kServer;
  options.rate = rate;
  options.rules.min_queries = queries;
  options.seed = 1;
  return options;
}

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

// The mean waiting time of a queue with Poisson arrivals and a constant service
// time s is s * u / (2 (1 - u)) at the utilization u (Pollaczek, Khinchine).
TEST(LoadGeneratorTest, WaitingTimesAreThoseOfTheory) {
  for (const double utilization : {0.3, 0.6, 0.8}) {
    SimulatedServers servers = Deterministic(1, 10);
    const auto result = RunLoad(servers, ServerAt(100 * utilization, 200000));
    ASSERT_TRUE(result.ok()) << result.status();
    const double waiting_s = Mean(result->latencies_s) - 0.010;
    const double theory_s = 0.010 * utilization / (2 * (1 - utilization));
    EXPECT_NEAR(waiting_s / theory_s, 1, 0.06) << utilization;
    EXPECT_FALSE(result->abandoned);
  }
}

// Latencies begin at the scheduled arrivals. Measured from the start of the
// service, all of them would be 10 ms.
TEST(LoadGeneratorTest, WaitingIsPartOfTheLatency) {
  SimulatedServers servers = Deterministic(1, 10);
  const auto result = RunLoad(servers, ServerAt(80, 20000));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_GT(result->Latency(0.99).value, 0.050);
  EXPECT_GE(result->Latency(0.01).value, 0.010);
}

TEST(LoadGeneratorTest, TwoInstancesWaitLess) {
  SimulatedServers one = Deterministic(1, 10), two = Deterministic(2, 20);
  const auto fast = RunLoad(one, ServerAt(80, 50000));
  const auto slow = RunLoad(two, ServerAt(80, 50000));
  ASSERT_TRUE(fast.ok() && slow.ok());
  EXPECT_LT(Mean(slow->latencies_s) - 0.020, Mean(fast->latencies_s) - 0.010);
}

TEST(LoadGeneratorTest, SingleStreamSendsOneQueryAfterTheOther) {
  SimulatedServers servers = Deterministic(1, 10);
  LoadOptions options;
  options.scenario = Scenario::kSingleStream;
  options.rules = {1.0, 36};
  const auto result = RunLoad(servers, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->queries, 100);
  EXPECT_EQ(result->samples, 100);
  EXPECT_NEAR(result->Latency(0.9).value, 0.010, 1e-9);
  options.rules = {0.1, 36};
  EXPECT_EQ(RunLoad(servers, options)->queries, 36);
}

TEST(LoadGeneratorTest, MultiStreamEndsWithTheLastOfEightSamples) {
  LoadOptions options;
  options.scenario = Scenario::kMultiStream;
  options.rules.min_queries = 400;
  SimulatedServers one = Deterministic(1, 10), three = Deterministic(3, 10),
                   batch = Deterministic(1, 10, 8);
  EXPECT_NEAR(RunLoad(one, options)->Latency(0.99).value, 0.080, 1e-9);
  EXPECT_NEAR(RunLoad(three, options)->Latency(0.99).value, 0.030, 1e-9);
  EXPECT_NEAR(RunLoad(batch, options)->Latency(0.99).value, 0.010, 1e-9);
  EXPECT_EQ(RunLoad(one, options)->samples, 3200);
}

TEST(LoadGeneratorTest, OfflineMeasuresThroughput) {
  SimulatedServers servers(2, 4, [](int64_t) { return 10 * kMilli; });
  LoadOptions options;
  options.scenario = Scenario::kOffline;
  options.rules = {10, 40};
  options.batch_s = 0.010;
  const auto result = RunLoad(servers, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_GE(result->duration_s, 10);
  EXPECT_EQ(result->samples, 8800);
  const Throughput throughput = ThroughputOf(*result);
  EXPECT_NEAR(throughput.value, 800, 1);
  EXPECT_LE(throughput.lower, 800.0001);
  EXPECT_GE(throughput.upper, 799.9999);
}

TEST(LoadGeneratorTest, OverloadIsAbandoned) {
  SimulatedServers servers = Deterministic(1, 10);
  LoadOptions options = ServerAt(200, 100000);
  options.bound_s = 0.050;
  const auto result = RunLoad(servers, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->abandoned);
  EXPECT_EQ(result->late, 1001);
  EXPECT_LT(servers.served(), 2000);
  EXPECT_EQ(result->samples, servers.served());
  EXPECT_TRUE(std::isinf(result->Latency(0.99).lower));
}

}  // namespace
}  // namespace assay::suites
