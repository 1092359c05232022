#include "suites/tune/replay/replay.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compiler/ops/config.h"
#include "compiler/tune/search/tuners.h"
#include "compiler/tune/space/search_space.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {
namespace {

// Adds a trial of a point; one with the time 0 failed.
void AddTrial(int64_t point, double time, MeasuredSpace* measured) {
  TuningRecord record;
  const tune::SearchSpace::Choice choice = measured->space().At(point);
  record.implementation = choice.implementation;
  record.config = choice.config;
  if (time == 0) {
    record.status = TrialStatus::kRunError;
  } else {
    record.samples_ns = {1000 * time};
    record.default_ns = {1000};
  }
  CHECK(measured->Add(record).ok());
}

// A space whose points have these times.
MeasuredSpace Space(const std::vector<double>& times) {
  tune::SearchSpace::Implementation implementation;
  implementation.name = "op.tiled";
  std::vector<int64_t> values;
  for (size_t i = 0; i < times.size(); ++i) {
    values.push_back(static_cast<int64_t>(i));
  }
  implementation.configs.DefineKnob("tile", values);
  implementation.preferred = implementation.configs.At(0);
  implementation.seconds = [](const ops::Config&) { return 1.0; };
  MeasuredSpace measured{tune::SearchSpace({implementation})};
  for (size_t i = 0; i < times.size(); ++i) {
    AddTrial(static_cast<int64_t>(i), times[i], &measured);
  }
  return measured;
}

ReplayResult ReplayGrid(const MeasuredSpace& measured, int64_t trials) {
  const auto tuner = tune::MakeTuner("grid", measured.space(), /*seed=*/1);
  return Replay(measured, trials, /*seed=*/1, tuner.get());
}

TEST(ReplayTest, CountsTheTrialsUpToAGoodPoint) {
  // The fourth point is good: it has 0.5 / 0.52 of the speed of the last one.
  const MeasuredSpace measured = Space({1, 0.7, 0, 0.52, 2, 0.5});
  const ReplayResult whole = ReplayGrid(measured, 100);
  EXPECT_EQ(whole.trials, 4);
  EXPECT_EQ(whole.share, 1);
  EXPECT_GE(whole.tuner_seconds, 0);
  const ReplayResult part = ReplayGrid(measured, 5);
  EXPECT_EQ(part.trials, 4);
  EXPECT_DOUBLE_EQ(part.share, 0.5 / 0.52);
  const ReplayResult begin = ReplayGrid(measured, 3);
  EXPECT_EQ(begin.trials, std::nullopt);
  EXPECT_DOUBLE_EQ(begin.share, 0.5 / 0.7);
}

// A point counts when it seems to be the fastest, because only then would it be
// chosen.
TEST(ReplayTest, GoodPointsCountOnlyIfTheySeemToBeTheFastest) {
  MeasuredSpace measured = Space({1, 0.5, 0.4});
  // The time of the first point stays 1, but some of its trials seem to be the
  // fastest.
  AddTrial(0, 0.1, &measured);
  AddTrial(1, 0.5, &measured);
  AddTrial(2, 0.4, &measured);
  ASSERT_EQ(measured.Time(0), 1);
  int misled = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const auto tuner = tune::MakeTuner("grid", measured.space(), /*seed=*/1);
    const ReplayResult result = Replay(measured, 3, seed, tuner.get());
    EXPECT_EQ(result.trials.has_value(), result.share >= kGoodShare);
    misled += result.trials.has_value() ? 0 : 1;
  }
  EXPECT_GT(misled, 5);
  EXPECT_LT(misled, 35);
}

}  // namespace
}  // namespace assay::suites
