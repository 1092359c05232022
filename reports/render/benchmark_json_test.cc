#include "reports/render/benchmark_json.h"

#include <nlohmann/json.hpp>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"

namespace assay::reports {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;

TEST(BenchmarkJsonTest, RoundTrips) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    RunResult result = RandomResult(seed);
    // Names are paths; one name is one benchmark.
    for (size_t i = 0; i < result.rows.size(); ++i) {
      result.rows[i].suite = "suite";
      result.rows[i].cell.model = "model" + std::to_string(i);
      result.rows[i].cell.device = "host";
    }
    const auto read = ParseBenchmarkJson(BenchmarkJson(result));
    ASSERT_TRUE(read.ok()) << read.status();
    ASSERT_EQ(read->rows.size(), result.rows.size()) << "seed " << seed;
    for (size_t i = 0; i < result.rows.size(); ++i) {
      EXPECT_EQ(read->rows[i].cell, result.rows[i].cell);
      // The file has milliseconds.
      EXPECT_THAT(read->rows[i].timing.samples_ns,
                  Pointwise(DoubleEq(), result.rows[i].timing.samples_ns));
      EXPECT_EQ(read->rows[i].verdict, result.rows[i].verdict);
    }
  }
}

TEST(BenchmarkJsonTest, WritesAggregates) {
  RunResult result;
  Row row;
  row.suite = "s";
  row.cell.model = "m";
  row.cell.device = "host";
  row.cell.threads = 2;
  row.timing.samples_ns = {1e6, 2e6, 6e6};
  row.verdict = stats::Verdict::kPass;
  result.rows.push_back(row);
  const auto json = nlohmann::json::parse(BenchmarkJson(result));
  const auto& benchmarks = json["benchmarks"];
  ASSERT_EQ(benchmarks.size(), 7u);
  EXPECT_EQ(benchmarks[2]["repetition_index"], 2);
  EXPECT_EQ(benchmarks[2]["real_time"], 6.0);
  EXPECT_EQ(benchmarks[2]["time_unit"], "ms");
  EXPECT_EQ(benchmarks[3]["name"], "s/m/host/fusion:on/threads:2_mean");
  EXPECT_EQ(benchmarks[3]["real_time"], 3.0);
  EXPECT_EQ(benchmarks[4]["aggregate_name"], "median");
  EXPECT_EQ(benchmarks[4]["real_time"], 2.0);
  EXPECT_EQ(benchmarks[6]["aggregate_unit"], "percentage");
}

TEST(BenchmarkJsonTest, ReadsFilesOfOtherPrograms) {
  const auto read = ParseBenchmarkJson(R"({
    "context": {"date": "2026-01-02T03:04:05+00:00", "host_name": "box",
                "executable": "./bench/sort"},
    "benchmarks": [
      {"name": "BM_Sort/1024", "run_name": "BM_Sort/1024",
       "run_type": "iteration", "real_time": 2500, "time_unit": "ns"},
      {"name": "BM_Sort/1024", "run_name": "BM_Sort/1024",
       "run_type": "iteration", "real_time": 2, "time_unit": "us"},
      {"name": "BM_Sort/1024_mean", "run_name": "BM_Sort/1024",
       "run_type": "aggregate", "real_time": 2375, "time_unit": "ns"},
      {"name": "BM_Old", "real_time": 3000000},
      {"name": "BM_Bad", "error_occurred": true, "error_message": "no GPU"}]})");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->environment.fingerprint, "box");
  ASSERT_EQ(read->rows.size(), 3u);
  EXPECT_EQ(read->rows[0].suite, "sort");
  EXPECT_EQ(read->rows[0].cell.model, "BM_Sort/1024");
  EXPECT_THAT(read->rows[0].timing.samples_ns, ElementsAre(2500, 2000));
  EXPECT_EQ(read->rows[0].verdict, stats::Verdict::kNoBaseline);
  EXPECT_THAT(read->rows[1].timing.samples_ns, ElementsAre(3e6));
  EXPECT_EQ(read->rows[2].verdict, stats::Verdict::kInfrastructure);
  EXPECT_EQ(read->rows[2].reason, "no GPU");
}

TEST(BenchmarkJsonTest, ReadsOlderNames) {
  const auto read = ParseBenchmarkJson(R"({"benchmarks": [
      {"name": "s/m/host/fusion:off/tuning:none/threads:2", "real_time": 1}]})");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->rows[0].cell.model, "m");
  EXPECT_EQ(read->rows[0].cell.threads, 2);
  EXPECT_FALSE(read->rows[0].cell.variant.tuned);
}

TEST(BenchmarkJsonTest, NamesOfTunedRowsSaySo) {
  const auto json = nlohmann::json::parse(BenchmarkJson(TunedResult()));
  EXPECT_EQ(json["benchmarks"][0]["name"],
            "resnet18/resnet18/host/fusion:on/threads:2");
  EXPECT_EQ(json["benchmarks"].back()["run_name"],
            "resnet18/resnet18/host/fusion:on/tuning:tuned/threads:2");
}

TEST(BenchmarkJsonTest, ErrorsNameTheMember) {
  const auto message = [](const char* text) {
    return std::string(ParseBenchmarkJson(text).status().message());
  };
  EXPECT_THAT(message("nonsense"), HasSubstr("no array `benchmarks`"));
  EXPECT_THAT(message("[]"), HasSubstr("no array `benchmarks`"));
  EXPECT_THAT(message(R"({"benchmarks": [1]})"),
              HasSubstr("`benchmarks[0].name`"));
  EXPECT_THAT(message(R"({"benchmarks": [{"name": "a", "real_time": -1}]})"),
              HasSubstr("`benchmarks[0].real_time`"));
  EXPECT_THAT(message(R"({"benchmarks": [{"name": "a", "real_time": 1,
                          "time_unit": "h"}]})"),
              HasSubstr("`benchmarks[0].time_unit`"));
}

}  // namespace
}  // namespace assay::reports
