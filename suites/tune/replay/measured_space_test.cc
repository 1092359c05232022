#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/ops/config.h"
#include "compiler/tune/space/search_space.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/stats/verdict.h"
#include "runtime/base/random.h"
#include "suites/tune/replay/log_spaces.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

tune::SearchSpace Space() {
  tune::SearchSpace::Implementation implementation;
  implementation.name = "op.tiled";
  implementation.configs.DefineKnob("tile", {1, 2, 4, 8, 16});
  implementation.preferred = implementation.configs.At(0);
  implementation.seconds = [](const ops::Config&) { return 1.0; };
  return tune::SearchSpace({implementation});
}

// The record of a trial that takes `time` times as long as the default point.
TuningRecord Trial(int64_t point, double time) {
  TuningRecord record;
  const tune::SearchSpace::Choice choice = Space().At(point);
  record.implementation = choice.implementation;
  record.config = choice.config;
  record.samples_ns = {300 * time, 200 * time};
  record.default_ns = {200, 300};
  return record;
}

MeasuredSpace Measured(const std::vector<TuningRecord>& records) {
  MeasuredSpace measured(Space());
  for (const TuningRecord& record : records) {
    EXPECT_TRUE(measured.Add(record).ok());
  }
  return measured;
}

TEST(MeasuredSpaceTest, TheTimeOfAPointIsTheMedianOfItsRecords) {
  TuningRecord failed = Trial(3, 0.1);
  failed.status = TrialStatus::kWrong;
  failed.samples_ns.clear();
  TuningRecord lost = failed;
  lost.config = Trial(4, 1).config;
  lost.status = TrialStatus::kDeviceLost;
  TuningRecord verdict = Trial(0, 0.1);
  verdict.verdict = TuningVerdict();
  const MeasuredSpace measured =
      Measured({Trial(0, 3), Trial(1, 0.5), Trial(0, 1), Trial(0, 2),
                Trial(1, 0.75), failed, lost, verdict});
  EXPECT_EQ(measured.num_points(), 3);
  EXPECT_EQ(measured.Time(0), 2);
  EXPECT_EQ(measured.Time(1), 0.75);
  EXPECT_EQ(measured.Time(2), std::nullopt);
  EXPECT_EQ(measured.Time(3), std::nullopt);
  const std::vector<tune::Measured> results = measured.Results();
  ASSERT_THAT(results, SizeIs(3));
  EXPECT_EQ(results[1].point, 1);
  EXPECT_EQ(results[1].seconds, 0.75);
  EXPECT_EQ(results[2].point, 3);
  EXPECT_EQ(results[2].seconds, std::nullopt);
}

TEST(MeasuredSpaceTest, TheBestPointIsFastMoreThanOnce) {
  EXPECT_EQ(Measured({}).Best(), std::nullopt);
  std::vector<TuningRecord> records = {Trial(0, 1), Trial(1, 0.5),
                                       Trial(2, 0.75)};
  EXPECT_EQ(Measured(records).Best(), 0.5);
  records.push_back(Trial(1, 0.8));  // was lucky
  EXPECT_EQ(Measured(records).Best(), 0.8);
  records.push_back(Trial(2, 0.78));
  EXPECT_EQ(Measured(records).Best(), 0.78);
}

TEST(MeasuredSpaceTest, ATrialRepeatsARecord) {
  const MeasuredSpace measured = Measured({Trial(0, 2), Trial(0, 4)});
  Rng rng(1);
  std::set<double> times;
  for (int i = 0; i < 50; ++i) times.insert(*measured.Trial(0, rng));
  EXPECT_EQ(times, (std::set<double>{2, 4}));
  EXPECT_EQ(measured.Trial(1, rng), std::nullopt);
}

// The record of a finalist, whose loads took `times` times as long as those of
// the default point.
TuningRecord Finalist(int64_t point, const std::vector<double>& times) {
  TuningRecord record = Trial(point, 1);
  record.samples_ns.clear();
  record.default_ns.assign(times.size(), 100);
  for (const double time : times) record.samples_ns.push_back(100 * time);
  record.loads = static_cast<int64_t>(times.size());
  return record;
}

TEST(MeasuredSpaceTest, TimesOfSeveralLoadsAreNotMixedWithTrials) {
  const MeasuredSpace measured =
      Measured({Trial(0, 0.25), Finalist(0, {0.5, 0.75, 4}), Trial(0, 2),
                Trial(1, 0.625), Finalist(2, {0.875, 0.875})});
  EXPECT_EQ(measured.num_points(), 3);
  EXPECT_EQ(measured.Time(0), 0.75);
  EXPECT_EQ(measured.Time(1), 0.625);
  EXPECT_EQ(measured.Time(2), 0.875);
  // Point 1 was measured once.
  EXPECT_EQ(measured.Best(), 0.75);
  Rng rng(1);
  std::set<double> times;
  for (int i = 0; i < 50; ++i) times.insert(*measured.Trial(0, rng));
  EXPECT_EQ(times, (std::set<double>{0.25, 2}));
  EXPECT_EQ(measured.Trial(2, rng), 0.875);
}

TEST(MeasuredSpaceTest, PointsOfOtherSpacesAreNotFound) {
  TuningRecord record = Trial(0, 1);
  record.implementation = "op.other";
  MeasuredSpace measured(Space());
  EXPECT_THAT(std::string(measured.Add(record).message()),
              HasSubstr("`op.other`"));
  EXPECT_EQ(measured.num_points(), 0);
}

}  // namespace
}  // namespace assay::suites
