#include "suites/tune/log/best_records.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/stats/verdict.h"
#include "runtime/base/random.h"
#include "runtime/base/shuffle.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const TuningPlace kHere = {"llvm -mcpu=x86-64-v4", "epyc", 2};

driver::TunedKernel Point(int64_t tile) {
  driver::TunedKernel point = {"conv2d.direct_nchwc", {}};
  point.config.SetSplit("tile_ow", {-1, tile});
  return point;
}

tune::CurrentTasks Tasks() {
  return {{"a", {"digest-a", Point(1)}}, {"b", {"digest-b", Point(1)}}};
}

TuningRecord Record(const std::string& task, int64_t tile,
                    std::vector<double> samples_ns) {
  TuningRecord record;
  record.task = task;
  record.workload = "workload of " + task;
  record.anchor = "anchor of " + task;
  record.flops = 1000;
  record.target = kHere.target;
  record.device = kHere.device;
  record.threads = kHere.threads;
  record.implementation = Point(tile).implementation;
  record.config = Point(tile).config;
  record.template_digest = "digest-" + task;
  record.samples_ns = std::move(samples_ns);
  return record;
}

TuningRecord Judged(int64_t tile, Verdict verdict, double low, double high) {
  TuningRecord record = Record("a", tile, {50, 52, 54});
  record.verdict = TuningVerdict{verdict, (low + high) / 2, low, high};
  return record;
}

TuningRecord Wrong(int64_t tile) {
  TuningRecord record = Record("a", tile, {});
  record.status = TrialStatus::kWrong;
  return record;
}

BestOfTask BestOfA(const std::vector<TuningRecord>& records) {
  return FindBestRecords(records, kHere, Tasks()).tasks.at("a");
}

// Returns the tile of the accepted point, or 0.
int64_t Accepted(const std::vector<TuningRecord>& records) {
  const BestOfTask best = BestOfA(records);
  if (best.accepted() == nullptr) return 0;
  return best.accepted()->point.config.Split("tile_ow")[1];
}

TEST(BestRecordsTest, SamplesOfAPointAreCollected) {
  const BestRecords best = FindBestRecords(
      {Record("a", 1, {100, 120}), Record("a", 2, {80, 90}),
       Record("a", 1, {110}), Record("a", 3, {85}), Record("b", 2, {7})},
      kHere, Tasks());
  const BestOfTask& a = best.tasks.at("a");
  EXPECT_EQ(a.workload, "workload of a");
  EXPECT_EQ(a.anchor, "anchor of a");
  EXPECT_EQ(a.flops, 1000);
  EXPECT_THAT(a.default_point->samples_ns, ElementsAre(100, 110, 120));
  EXPECT_EQ(a.default_point->median_ns, 110);
  EXPECT_EQ(a.default_point->relative, 1);
  EXPECT_EQ(a.default_ns, 100);
  EXPECT_EQ(a.fastest->point.config, Point(2).config);
  EXPECT_EQ(a.fastest->median_ns, 85);
  EXPECT_EQ(a.fastest->relative, 0.8);
  EXPECT_FALSE(a.judged.has_value());
  const BestOfTask& b = best.tasks.at("b");
  EXPECT_FALSE(b.default_point.has_value());
  EXPECT_EQ(b.default_ns, 0);
  EXPECT_EQ(b.fastest->median_ns, 7);
  EXPECT_THAT(Describe(best.unused), IsEmpty());
}

// The machine was slow while the second point was measured.
TEST(BestRecordsTest, TimesAreComparedWithThoseNextToThem) {
  std::vector<TuningRecord> records = {Record("a", 1, {100}),
                                       Record("a", 2, {95, 90}),
                                       Record("a", 3, {140, 120})};
  records[1].default_ns = {90, 100};
  records[2].default_ns = {200, 240};
  const BestOfTask best = BestOfA(records);
  EXPECT_EQ(best.default_ns, 90);
  EXPECT_EQ(best.fastest->point.config, Point(3).config);
  EXPECT_EQ(best.fastest->relative, 0.6);
  // The time of a default point that is wrong is not used.
  records.push_back(Wrong(1));
  EXPECT_EQ(BestOfA(records).default_ns, 0);
}

TEST(BestRecordsTest, SeveralLoadsCountInsteadOfLuckyTrials) {
  TuningRecord lucky = Record("a", 2, {40});
  lucky.default_ns = {100};
  TuningRecord steady = Record("a", 4, {80});
  steady.default_ns = {100};
  TuningRecord finalist = lucky;
  finalist.samples_ns = {90, 110, 95};
  finalist.default_ns = {100, 100, 100};
  finalist.loads = 3;
  const auto fastest = [](const std::vector<TuningRecord>& records) {
    return BestOfA(records).fastest.value();
  };
  EXPECT_EQ(fastest({lucky, steady}).relative, 0.4);
  for (const auto& records : {std::vector{lucky, steady, finalist},
                              std::vector{finalist, steady, lucky}}) {
    EXPECT_EQ(fastest(records).relative, 0.8);
    EXPECT_EQ(fastest(records).point.config.Split("tile_ow")[1], 4);
  }
}

TEST(BestRecordsTest, OnlyImprovedPointsAreAccepted) {
  // The fastest point of the search is not accepted for its time.
  EXPECT_EQ(Accepted({Record("a", 1, {100}), Record("a", 2, {1})}), 0);
  for (const Verdict verdict :
       {Verdict::kPass, Verdict::kEquivalent, Verdict::kRegressed,
        Verdict::kInconclusive, Verdict::kNoBaseline, Verdict::kEmulated}) {
    EXPECT_EQ(Accepted({Judged(2, verdict, 0.5, 0.6)}), 0) << verdict;
  }
  std::vector<TuningRecord> improved = {
      Judged(2, Verdict::kImproved, 0.5, 0.6)};
  improved[0].default_ns = {90, 100, 110};
  EXPECT_EQ(Accepted(improved), 2);
  const BestOfTask best = BestOfA(improved);
  EXPECT_EQ(best.accepted()->median_ns, 52);
  EXPECT_EQ(best.accepted()->default_median_ns, 100);
  EXPECT_EQ(best.accepted()->verdict.high, 0.6);
}

TEST(BestRecordsTest, TheSmallestUpperEndIsTheBest) {
  EXPECT_EQ(Accepted({Judged(2, Verdict::kImproved, 0.50, 0.90),
                      Judged(3, Verdict::kImproved, 0.70, 0.80),
                      Judged(4, Verdict::kInconclusive, 0.1, 0.2),
                      Judged(5, Verdict::kImproved, 0.60, 0.85)}),
            3);
}

TEST(BestRecordsTest, WithoutAnAcceptedPointTheClosestIsJudged) {
  const BestOfTask best =
      BestOfA({Judged(2, Verdict::kInconclusive, 0.9, 1.1),
               Judged(3, Verdict::kRegressed, 1.1, 1.2),
               Judged(4, Verdict::kEquivalent, 0.99, 1.01)});
  EXPECT_EQ(best.accepted(), nullptr);
  EXPECT_EQ(best.judged->point.config, Point(4).config);
  EXPECT_EQ(best.judged->verdict.verdict, Verdict::kEquivalent);
}

TEST(BestRecordsTest, WrongPointsAreNeverChosen) {
  TuningRecord wrong = Judged(2, Verdict::kImproved, 0.5, 0.6);
  wrong.status = TrialStatus::kWrong;
  EXPECT_EQ(Accepted({wrong}), 0);
  // Another record of the point says that it is wrong.
  const std::vector<TuningRecord> records = {
      Record("a", 1, {100}), Record("a", 2, {10}),
      Judged(2, Verdict::kImproved, 0.1, 0.2), Wrong(2)};
  EXPECT_EQ(Accepted(records), 0);
  EXPECT_EQ(BestOfA(records).fastest->median_ns, 100);
  EXPECT_FALSE(BestOfA({Wrong(1)}).fastest.has_value());
}

TEST(BestRecordsTest, PointsThatAreSlowerElsewhereAreNotAccepted) {
  EXPECT_EQ(Accepted({Judged(2, Verdict::kImproved, 0.5, 0.6),
                      Judged(2, Verdict::kRegressed, 1.1, 1.2),
                      Judged(3, Verdict::kImproved, 0.8, 0.9)}),
            3);
  // Without a difference, the first comparison is not contradicted.
  EXPECT_EQ(Accepted({Judged(2, Verdict::kImproved, 0.5, 0.6),
                      Judged(2, Verdict::kInconclusive, 0.9, 1.1)}),
            2);
}

// A comparison of a network that drops these points of task `a`.
NetworkRecord Dropping(const std::vector<int64_t>& tiles) {
  NetworkRecord network;
  network.target = kHere.target;
  network.device = kHere.device;
  network.threads = kHere.threads;
  for (const int64_t tile : tiles) {
    network.dropped.push_back(
        {"a", "digest-a", Point(tile).implementation, Point(tile).config});
  }
  return network;
}

TEST(BestRecordsTest, DroppedPointsAreNotAccepted) {
  const std::vector<TuningRecord> records = {
      Record("a", 1, {100}), Judged(2, Verdict::kImproved, 0.5, 0.6),
      Judged(3, Verdict::kImproved, 0.7, 0.8)};
  const auto accepted = [&](const std::vector<NetworkRecord>& networks) {
    const BestRecords best = FindBestRecords(records, kHere, Tasks(), networks);
    const JudgedPoint* point = best.tasks.at("a").accepted();
    return point == nullptr ? 0 : point->point.config.Split("tile_ow")[1];
  };
  EXPECT_EQ(accepted({Dropping({})}), 2);
  EXPECT_EQ(accepted({Dropping({2})}), 3);
  EXPECT_EQ(accepted({Dropping({2}), Dropping({3})}), 0);
  EXPECT_EQ(accepted({Dropping({3}), Dropping({2})}), 0);

  NetworkRecord other = Dropping({2});
  other.threads = 1;
  EXPECT_EQ(accepted({other}), 2);
  other = Dropping({2});
  other.dropped[0].template_digest = "older";
  EXPECT_EQ(accepted({other}), 2);
  other = Dropping({2});
  other.dropped[0].task = "b";
  EXPECT_EQ(accepted({other}), 2);
}

// Layouts are compared by these times.
TEST(BestRecordsTest, DroppedDefaultPointsHaveNoTime) {
  std::vector<TuningRecord> records = {Record("a", 2, {80})};
  records[0].default_ns = {100};
  const auto time = [&](const std::vector<NetworkRecord>& networks) {
    return FindBestRecords(records, kHere, Tasks(), networks)
        .tasks.at("a")
        .default_ns;
  };
  EXPECT_EQ(time({}), 100);
  EXPECT_EQ(time({Dropping({1})}), 0);
  records.push_back(Record("a", 1, {90}));
  EXPECT_EQ(time({}), 90);
  EXPECT_EQ(time({Dropping({1})}), 0);
}

TEST(BestRecordsTest, OtherRecordsNeverContribute) {
  std::vector<TuningRecord> others(6, Judged(9, Verdict::kImproved, 0.1, 0.2));
  others[0].device = "ryzen";
  others[1].target = "llvm -mcpu=x86-64-v3";
  others[2].threads = 1;
  others[3].task = "c";
  others[4].template_digest = "digest-b";
  others[5].template_digest = "";
  std::vector<TuningRecord> records = {Judged(2, Verdict::kImproved, 0.8, 0.9)};
  records.insert(records.end(), others.begin(), others.end());
  EXPECT_EQ(Accepted(records), 2);
  const BestRecords best = FindBestRecords(others, kHere, Tasks());
  EXPECT_THAT(best.tasks, IsEmpty());
  EXPECT_THAT(Describe(best.unused),
              ElementsAre("1 record of other kernels is not used",
                          "2 records of older templates are not used: the "
                          "kernels must be tuned again"));
}

TEST(BestRecordsTest, FailedTrialsHaveNoTimes) {
  std::vector<TuningRecord> records;
  for (const TrialStatus status :
       {TrialStatus::kBuildError, TrialStatus::kBuildCrash,
        TrialStatus::kBuildTimeout, TrialStatus::kRunError,
        TrialStatus::kTimeout, TrialStatus::kDeviceLost}) {
    records.push_back(Record("a", 1, {}));
    records.back().status = status;
  }
  EXPECT_FALSE(BestOfA(records).default_point.has_value());
  records.push_back(Record("a", 1, {5}));
  EXPECT_EQ(BestOfA(records).default_point->median_ns, 5);
}

std::string Text(const driver::TunedKernel& point) {
  return absl::StrCat(point.implementation, " ", point.config.ToString());
}

std::string Text(const std::optional<MeasuredPoint>& measured) {
  if (!measured.has_value()) return "none";
  return absl::StrCat(Text(measured->point), " ", measured->median_ns, " ",
                      measured->relative, " ",
                      absl::StrJoin(measured->samples_ns, ","));
}

std::string Text(const BestRecords& best) {
  std::string text = absl::StrJoin(Describe(best.unused), "\n");
  for (const auto& [key, task] : best.tasks) {
    absl::StrAppend(&text, "\n", key, " ", task.workload, " ", task.anchor, " ",
                    task.flops, " ", task.default_ns, "\n",
                    Text(task.default_point), "\n", Text(task.fastest), "\n",
                    task.accepted() != nullptr);
    if (!task.judged.has_value()) continue;
    absl::StrAppend(&text, " ", Text(task.judged->point), " ",
                    task.judged->median_ns, " ", task.judged->verdict.high);
  }
  return text;
}

TuningRecord RandomRecord(Rng& rng) {
  const auto chance = [&](int64_t n) { return rng.UniformInt(1, n) == 1; };
  // Few different values, so that there are ties.
  std::vector<double> samples;
  for (int64_t i = rng.UniformInt(1, 3); i > 0; --i) {
    samples.push_back(static_cast<double>(rng.UniformInt(1, 5)));
  }
  TuningRecord record =
      Record(chance(2) ? "a" : "b", rng.UniformInt(1, 5), samples);
  if (chance(2)) {
    record.default_ns = {static_cast<double>(rng.UniformInt(3, 5)), 6};
  }
  if (chance(8)) record.device = "ryzen";
  if (chance(8)) record.threads = 1;
  if (chance(8)) record.template_digest = "old";
  if (chance(10)) record.status = TrialStatus::kWrong;
  if (chance(10)) record.status = TrialStatus::kRunError;
  if (chance(3)) {
    const Verdict verdict = chance(2)   ? Verdict::kImproved
                            : chance(3) ? Verdict::kRegressed
                                        : Verdict::kInconclusive;
    const auto low = static_cast<double>(rng.UniformInt(1, 3));
    record.verdict = TuningVerdict{verdict, low, low, low + 1};
  }
  return record;
}

// Logs are merged by concatenation, in any order.
TEST(BestRecordsTest, TheOrderOfRecordsDoesNotMatter) {
  int accepted = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Rng rng(seed);
    std::vector<TuningRecord> records;
    for (int64_t i = rng.UniformInt(1, 40); i > 0; --i) {
      records.push_back(RandomRecord(rng));
    }
    std::vector<NetworkRecord> networks = {Dropping({rng.UniformInt(1, 5)}),
                                           Dropping({rng.UniformInt(1, 9)})};
    const std::string expected =
        Text(FindBestRecords(records, kHere, Tasks(), networks));
    accepted += absl::StrContains(expected, "\n1 ") ? 1 : 0;
    for (int i = 0; i < 10; ++i) {
      Shuffle(records, rng);
      Shuffle(networks, rng);
      ASSERT_EQ(Text(FindBestRecords(records, kHere, Tasks(), networks)),
                expected)
          << "seed " << seed;
    }
  }
  EXPECT_GT(accepted, 20);
}

TEST(BestRecordsTest, EqualRecordsCountOnce) {
  const std::vector<TuningRecord> once = {
      Record("a", 1, {100}), Record("a", 1, {300}), Record("a", 2, {80})};
  std::vector<TuningRecord> twice = once;
  twice.insert(twice.end(), once.begin(), once.end() - 1);
  EXPECT_THAT(BestOfA(twice).default_point->samples_ns, ElementsAre(100, 300));
  EXPECT_EQ(Text(FindBestRecords(twice, kHere, Tasks())),
            Text(FindBestRecords(once, kHere, Tasks())));
}

}  // namespace
}  // namespace assay::suites
