#include "suites/serve/serve_report.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

ServeReport Sample(Scenario scenario, int64_t queries) {
  ServeReport report;
  report.model = "net\"\x01";
  report.instances = 2;
  report.batch_s = 0.010;
  report.load.scenario = scenario;
  report.load.queries = report.load.samples = queries;
  report.load.duration_s = 10;
  report.load.rate = static_cast<double>(queries) / 10;
  for (int64_t i = 0; i < queries; ++i) {
    report.load.latencies_s.push_back(
        0.010 + 1e-5 * static_cast<double>(i * 37 % queries));
  }
  report.checked = 20;
  return report;
}

TEST(ServeReportTest, VerdictsDependOnTheInterval) {
  ServeReport report = Sample(Scenario::kServer, 1000);
  EXPECT_FALSE(VerdictOf(report).has_value());
  report.bound_s = 0.030;
  EXPECT_EQ(VerdictOf(report), BoundVerdict::kMet);
  report.bound_s = 0.015;
  EXPECT_EQ(VerdictOf(report), BoundVerdict::kMissed);
  report.bound_s = 0.0199;
  EXPECT_EQ(VerdictOf(report), BoundVerdict::kUndecided);
  EXPECT_THAT(ServeTable(report),
              HasSubstr("bound: undecided at 100 queries/s: the interval of "
                        "the 99th percentile contains the bound; "));
}

TEST(ServeReportTest, AbandonedRunsHaveMissed) {
  ServeReport report = Sample(Scenario::kServer, 1000);
  for (int i = 500; i < 1000; ++i) {
    report.load.latencies_s[i] = std::numeric_limits<double>::infinity();
  }
  report.load.abandoned = true;
  report.load.samples = 500;
  report.load.late = 11;
  report.bound_s = 10;
  EXPECT_EQ(VerdictOf(report), BoundVerdict::kMissed);
  EXPECT_THAT(
      ServeTable(report),
      HasSubstr(
          "bound: missed at 100 queries/s: 11 of 500 queries took longer "
          "than 10000.000 ms; the run was abandoned after 500 of 1000\n"));
  report.batch_s = 0.1;
  EXPECT_THAT(ServeTable(report),
              HasSubstr("after 500 of 1000, because the instances are "
                        "overloaded: without a pause, they serve 20.0 "
                        "queries/s"));
  const auto json = nlohmann::json::parse(ServeJson(report));
  EXPECT_FALSE(json.contains("latency"));
  EXPECT_EQ(json["bound_verdict"], "missed");
}

TEST(ServeReportTest, TooFewQueriesHaveNoUpperBound) {
  const ServeReport report = Sample(Scenario::kSingleStream, 40);
  EXPECT_THAT(ServeTable(report),
              AllOf(HasSubstr("  >10.3"), HasSubstr("MLPerf: not met: at "
                                                    "least 64 queries: 40")));
  const auto json = nlohmann::json::parse(ServeJson(report));
  EXPECT_TRUE(json["latency"]["p99_ms_upper"].is_null());
  EXPECT_FALSE(json["latency"]["p90_ms_upper"].is_null());
}

TEST(ServeReportTest, SaysWhichRulesAreMet) {
  ServeReport report = Sample(Scenario::kServer, 1000);
  EXPECT_THAT(ServeTable(report),
              AllOf(HasSubstr("MLPerf: not met: at least 600 s: 10.0 s"),
                    HasSubstr("MLPerf: met: at least 662 queries: 1000")));
  report.load.duration_s = 601;
  EXPECT_THAT(ServeTable(report), HasSubstr("MLPerf: met: at least 600 s"));
}

TEST(ServeReportTest, OfflineHasThroughputAndNoLatency) {
  ServeReport report = Sample(Scenario::kOffline, 100);
  report.load.latencies_s = {10};
  for (int i = 1; i <= 100; ++i) report.load.ends_s.push_back(0.1 * i);
  EXPECT_THAT(ServeTable(report), HasSubstr("10.0 [10.0, 10.0]"));
  const auto json = nlohmann::json::parse(ServeJson(report));
  EXPECT_FALSE(json.contains("latency"));
  EXPECT_NEAR(json["samples_per_s"], 10, 1e-9);
}

TEST(ServeReportTest, BenchmarkJsonHasThePercentileOfTheScenario) {
  const ServeReport report = Sample(Scenario::kServer, 1000);
  const auto json = nlohmann::json::parse(ServeBenchmarkJson(report));
  const auto& benchmark = json["benchmarks"][0];
  EXPECT_EQ(benchmark["time_unit"], "ms");
  EXPECT_NEAR(benchmark["real_time"], 19.9, 0.01);
  EXPECT_NEAR(benchmark["items_per_second"], 100, 1e-9);
}

TEST(ServeReportTest, ConfirmationsAreOneRun) {
  LoadResult all;
  const LoadResult load = Sample(Scenario::kServer, 100).load;
  Append(load, &all);
  Append(load, &all);
  EXPECT_EQ(all.queries, 200);
  EXPECT_EQ(all.latencies_s.size(), 200u);
  EXPECT_EQ(all.duration_s, 20);
  EXPECT_EQ(all.rate, load.rate);
}

}  // namespace
}  // namespace assay::suites
