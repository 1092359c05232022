#include "suites/tune/log_tool/best_report.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/json_reader.h"
#include "runtime/base/random.h"
#include "suites/tune/log_tool/testing/sample_records.h"

namespace assay::suites {
namespace {

using reports::Json;
using stats::Verdict;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<TuningRecord> Records() {
  std::vector<TuningRecord> records = {
      DefaultTrial({9000, 9200}), Trial(1, {3000}), Trial(2, {5000}),
      Comparison(2, Verdict::kImproved, 0.5, 0.6), ElementwiseTrial({1000})};
  records[3].default_ns = {9500};
  return records;
}

Log LogOf(std::vector<TuningRecord> records) {
  Log log;
  log.records = std::move(records);
  return log;
}

std::string Row(const std::string& table, const std::string& part) {
  for (const absl::string_view line : absl::StrSplit(table, '\n')) {
    if (absl::StrContains(line, part)) return std::string(line);
  }
  return "";
}

TEST(BestReportTest, TheTableShowsTheAcceptedPoint) {
  const std::string table = BestTable(MakeBestReport(LogOf(Records()), {}));
  EXPECT_THAT(table, HasSubstr(absl::StrCat("device ", kSampleDevice,
                                            ", 2 threads, llvm ")));
  EXPECT_THAT(Row(table, "matmul 64x64 64x64 +relu"),
              AllOf(HasSubstr(DefaultTrial({1}).task), HasSubstr("mr=2 "),
                    HasSubstr("  9.5  "), HasSubstr("  4.2  "),
                    HasSubstr("  124.8  "),  // 524288 operations
                    HasSubstr("0.55 [0.50, 0.60]  improved")));
  EXPECT_THAT(Row(table, "exp 64x64"), HasSubstr("not compared"));
}

TEST(BestReportTest, WithoutAComparisonTheFastestPointIsShown) {
  EXPECT_THAT(BestTable(MakeBestReport(
                  LogOf({DefaultTrial({9000}), Trial(1, {3000})}), {})),
              AllOf(HasSubstr("mr=1 "), HasSubstr("0.33  not compared")));
  EXPECT_THAT(BestTable(MakeBestReport(
                  LogOf({Trial(1, {3000}),
                         Comparison(2, Verdict::kInconclusive, 0.97, 1.02)}),
                  {})),
              AllOf(HasSubstr("mr=2 "), HasSubstr("  inconclusive")));
  TuningRecord failed = DefaultTrial({});
  failed.status = TrialStatus::kTimeout;
  EXPECT_THAT(BestTable(MakeBestReport(LogOf({failed}), {})),
              HasSubstr("no valid point"));
}

TEST(BestReportTest, DevicesAndThreadsAreSeparate) {
  std::vector<TuningRecord> records = Records();
  records.push_back(Trial(4, {100}));
  records.back().device = "rpi3b";
  records.push_back(Trial(5, {100}));
  records.back().threads = 1;
  EXPECT_THAT(MakeBestReport(LogOf(records), {}).places, SizeIs(3));
  const BestReport pi = MakeBestReport(LogOf(records), {"pi3", 0});
  ASSERT_THAT(pi.places, SizeIs(1));
  EXPECT_EQ(pi.places[0].place.device, "rpi3b");
  EXPECT_THAT(pi.remarks,
              ElementsAre("6 records were left out by --device or --threads"));
  const BestReport one = MakeBestReport(LogOf(records), {"epyc", 1});
  ASSERT_THAT(one.places, SizeIs(1));
  EXPECT_EQ(one.places[0].place.threads, 1);
}

TEST(BestReportTest, OlderTemplatesAreARemark) {
  std::vector<TuningRecord> records = Records();
  records.push_back(Comparison(1, Verdict::kImproved, 0.1, 0.2));
  records.back().template_digest = "0123456789abcdef";
  records.push_back(ElementwiseTrial({1}));
  records.back().task = "0";
  records.back().workload = "nonsense";
  const BestReport report = MakeBestReport(LogOf(records), {});
  EXPECT_THAT(report.remarks,
              ElementsAre(HasSubstr("`0` cannot be compiled: `nonsense`"),
                          HasSubstr("1 record of older templates")));
  const std::string table = BestTable(report);
  EXPECT_THAT(table, HasSubstr("mr=2 "));
  EXPECT_THAT(table, HasSubstr(report.remarks[1]));
}

TEST(BestReportTest, NetworksAreBelowTheTable) {
  Log log = LogOf(Records());
  const TuningRecord& accepted = log.records[3];
  NetworkRecord network;
  network.network = "net";
  network.target = accepted.target;
  network.device = accepted.device;
  network.threads = accepted.threads;
  network.verdict = {Verdict::kRegressed, 1.06, 1.05, 1.07};
  network.dropped = {{accepted.task, accepted.template_digest,
                      accepted.implementation, accepted.config}};
  log.networks = {network, network};
  log.networks[1].threads = 1;
  const BestReport report = MakeBestReport(log, {});
  const std::string table = BestTable(report);
  EXPECT_THAT(table, HasSubstr("net, 2 threads: 1.06 [1.05, 1.07] of the "
                               "untuned time, regressed; 1 point dropped\n"));
  EXPECT_THAT(table, Not(HasSubstr("net, 1 thread")));
  // The table shows the fastest of the others.
  EXPECT_THAT(Row(table, "matmul 64x64 64x64 +relu"),
              HasSubstr("not compared"));
  EXPECT_THAT(report.places[0].networks, SizeIs(1));
}

TEST(BestReportTest, JsonHasAllPoints) {
  const Json json = Json::parse(BestJson(MakeBestReport(LogOf(Records()), {})));
  ASSERT_EQ(json.size(), 2u);
  const Json& product = json[0];  // its default point takes longer
  EXPECT_EQ(product["device"], kSampleDevice);
  EXPECT_EQ(product["threads"], 2);
  EXPECT_EQ(product["flops"], 524'288);
  EXPECT_EQ(product["default"]["samples_ns"], Json({9000.0, 9200.0}));
  EXPECT_EQ(product["fastest"]["median_ns"], 3000);
  EXPECT_EQ(product["judged"]["verdict"], "improved");
  EXPECT_EQ(product["judged"]["interval"], Json({0.5, 0.6}));
  EXPECT_EQ(product["judged"]["accepted"], true);
  EXPECT_TRUE(json[1]["judged"].is_null());
  EXPECT_EQ(BestJson(MakeBestReport(Log(), {})), "[]\n");
}

TEST(BestReportTest, TheCompilerNeedsFewRecords) {
  std::vector<TuningRecord> records = Records();
  records[1].default_ns = {9001};
  records.push_back(records[0]);  // a duplicate
  records.push_back(Comparison(1, Verdict::kImproved, 0.7, 0.9));
  const std::vector<TuningRecord> kept =
      RecordsForCompiler(records, MakeBestReport(LogOf(records), {}));
  ASSERT_THAT(kept, SizeIs(3));
  EXPECT_EQ(kept[0].ToJson(), records[0].ToJson());
  EXPECT_EQ(kept[1].ToJson(), records[3].ToJson());
  EXPECT_EQ(kept[2].ToJson(), records[4].ToJson());
  records[1].default_ns = {8999};  // the time of the default point
  const auto timed =
      RecordsForCompiler(records, MakeBestReport(LogOf(records), {}));
  ASSERT_THAT(timed, SizeIs(3));
  EXPECT_EQ(timed[0].ToJson(), records[1].ToJson());
  EXPECT_THAT(
      RecordsForCompiler(records, MakeBestReport(LogOf(records), {"pi", 0})),
      IsEmpty());
}

// Compiling with these records is compiling with all of them.
TEST(BestReportTest, FewRecordsLeadToTheSamePoints) {
  int accepted = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    std::vector<TuningRecord> records;
    for (int64_t i = rng.UniformInt(1, 12); i > 0; --i) {
      const auto nanos = static_cast<double>(rng.UniformInt(1, 4) * 1000);
      const auto high = static_cast<double>(rng.UniformInt(2, 5)) / 5;
      const int64_t mr = rng.UniformInt(1, 3);
      const int64_t kind = rng.UniformInt(0, 6);
      records.push_back(
          kind == 0   ? DefaultTrial({nanos})
          : kind == 1 ? Trial(mr, {nanos})
          : kind == 2 ? Comparison(mr, Verdict::kRegressed, high, high + 1)
          : kind == 3 ? ElementwiseTrial({nanos})
                      : Comparison(mr, Verdict::kImproved, high / 2, high));
      if (rng.UniformInt(0, 1) == 0) {
        records.back().default_ns = {
            static_cast<double>(rng.UniformInt(1, 9) * 500)};
      }
      if (rng.UniformInt(0, 9) == 0) {
        records.back().status = TrialStatus::kWrong;
      }
    }
    Log log = LogOf(records);
    if (rng.UniformInt(0, 1) == 0) {
      const TuningRecord& dropped = records[0];
      NetworkRecord network;
      network.target = dropped.target;
      network.device = dropped.device;
      network.threads = dropped.threads;
      network.dropped = {{dropped.task, dropped.template_digest,
                          dropped.implementation, dropped.config}};
      log.networks = {network};
    }
    const BestReport all = MakeBestReport(log, {});
    const auto kept = RecordsForCompiler(records, all);
    ASSERT_THAT(all.places, SizeIs(1));
    const BestOfPlace& place = all.places[0];
    const BestRecords few =
        FindBestRecords(kept, place.place, place.tasks, place.networks);
    for (const auto& [key, best] : place.best.tasks) {
      const auto found = few.tasks.find(key);
      const BestOfTask same =
          found == few.tasks.end() ? BestOfTask() : found->second;
      EXPECT_EQ(same.default_ns, best.default_ns);
      ASSERT_EQ(same.accepted() == nullptr, best.accepted() == nullptr);
      if (best.accepted() == nullptr) continue;
      ++accepted;
      EXPECT_EQ(same.accepted()->point.config, best.accepted()->point.config);
      EXPECT_EQ(same.accepted()->verdict.high, best.accepted()->verdict.high);
    }
  }
  EXPECT_GT(accepted, 10);
}

}  // namespace
}  // namespace assay::suites
