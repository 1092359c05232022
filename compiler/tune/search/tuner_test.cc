#include "compiler/tune/search/tuner.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/tune/search/testing/kernel_like.h"
#include "compiler/tune/search/tuners.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::tune {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Kind {
  const char* name;
  size_t plan_size;
  std::function<std::unique_ptr<Tuner>(const SearchSpace&, uint64_t)> make;
};

// The results of another task with the same templates.
Examples OtherTask() {
  const KernelLike kernel(4000, 99);
  Rng rng(1);
  std::vector<Measured> results;
  for (const int64_t point : kernel.space().Sample(200, {}, rng)) {
    results.push_back({point, kernel.Seconds(point)});
  }
  return ExamplesOf(kernel.space(), results);
}

auto Named(const char* name) {
  return [name](const SearchSpace& space, uint64_t seed) {
    return MakeTuner(name, space, seed);
  };
}

const Kind kKinds[] = {
    {"random", 64, Named("random")},
    {"grid", 64, Named("grid")},
    {"genetic", 64, Named("genetic")},
    {"model", 12, Named("xgb")},
    {"transfer", 12,
     [](const SearchSpace& space, uint64_t seed) {
       return MakeTuner("xgb", space, seed, {OtherTask()});
     }},
};

class TunerTest : public ::testing::TestWithParam<Kind> {
 protected:
  // Runs trials until `trials` points have results, in batches of random sizes.
  // Appends the points.
  static void RunTrials(Tuner& tuner, const KernelLike& kernel, int64_t trials,
                        uint64_t seed, std::vector<int64_t>* points) {
    Rng rng(seed);
    while (tuner.num_results() < trials) {
      const auto left = static_cast<int>(trials - tuner.num_results());
      std::vector<int64_t> batch =
          tuner.Next(std::min(left, static_cast<int>(rng.UniformInt(1, 9))));
      ASSERT_THAT(batch, ::testing::Not(IsEmpty()));
      points->insert(points->end(), batch.begin(), batch.end());
      // Results come in any order.
      for (size_t i = batch.size(); i-- > 1;) {
        std::swap(batch[i], batch[static_cast<size_t>(
                                rng.UniformInt(0, static_cast<int64_t>(i)))]);
      }
      for (const int64_t point : batch) {
        tuner.Update({point, kernel.Seconds(point)});
      }
    }
  }
};

TEST_P(TunerTest, MeasuresEachPointOnce) {
  const KernelLike kernel(200, 3);
  const auto tuner = GetParam().make(kernel.space(), 5);
  std::vector<int64_t> points;
  RunTrials(*tuner, kernel, kernel.space().size(), 1, &points);
  EXPECT_TRUE(tuner->exhausted());
  EXPECT_THAT(tuner->Next(1), IsEmpty());
  EXPECT_EQ(points[0], kernel.space().default_point());
  EXPECT_THAT(std::set<int64_t>(points.begin(), points.end()),
              SizeIs(points.size()));
  EXPECT_EQ(tuner->best()->seconds, kernel.best());
}

TEST_P(TunerTest, WaitsForResults) {
  const KernelLike kernel(4000, 3);
  const auto tuner = GetParam().make(kernel.space(), 5);
  std::vector<int64_t> points = tuner->Next(1000);
  EXPECT_GE(points.size(), GetParam().plan_size);
  EXPECT_THAT(tuner->Next(1000), IsEmpty());
  const int64_t last = points.back();
  points.pop_back();
  for (const int64_t point : points) tuner->Update({point, 1.0});
  EXPECT_THAT(tuner->Next(1000), IsEmpty());
  tuner->Update({last, std::nullopt});
  EXPECT_THAT(tuner->Next(1), SizeIs(1));
}

// A tuner that was told the results of an interrupted run continues as the run
// would have, wherever it was interrupted and in whatever batches.
TEST_P(TunerTest, ContinuesAnInterruptedRun) {
  const KernelLike kernel(4000, 7);
  constexpr int64_t kTrials = 400;
  std::vector<int64_t> undisturbed;
  const auto whole = GetParam().make(kernel.space(), 11);
  RunTrials(*whole, kernel, kTrials, 1, &undisturbed);
  Rng rng(1);
  for (int i = 0; i < 20; ++i) {
    const int64_t cut = rng.UniformInt(0, kTrials);
    const auto resumed = GetParam().make(kernel.space(), 11);
    for (int64_t k = 0; k < cut; ++k) {
      const int64_t point = undisturbed[static_cast<size_t>(k)];
      resumed->Update({point, kernel.Seconds(point)});
    }
    std::vector<int64_t> points(undisturbed.begin(), undisturbed.begin() + cut);
    RunTrials(*resumed, kernel, kTrials, rng.NextU64(), &points);
    EXPECT_EQ(points, undisturbed) << cut;
    EXPECT_EQ(resumed->best()->point, whole->best()->point);
  }
}

TEST_P(TunerTest, KnownPointsAreNotMeasuredAgain) {
  const KernelLike kernel(200, 3);
  const auto tuner = GetParam().make(kernel.space(), 5);
  Rng rng(2);
  const std::vector<int64_t> known = kernel.space().Sample(150, {}, rng);
  for (const int64_t point : known) {
    tuner->Update({point, kernel.Seconds(point)});
  }
  std::vector<int64_t> points;
  RunTrials(*tuner, kernel, kernel.space().size(), 1, &points);
  EXPECT_EQ(points.size() + known.size(),
            static_cast<size_t>(kernel.space().size()));
}

INSTANTIATE_TEST_SUITE_P(Kinds, TunerTest, ::testing::ValuesIn(kKinds),
                         [](const auto& info) { return info.param.name; });

// Returns how many trials a tuner needs to find a point with at least 95 % of
// the speed of the best.
int64_t TrialsTo95(Tuner& tuner, const KernelLike& kernel) {
  double best = kernel.Seconds(kernel.space().default_point()).value();
  while (kernel.best() / best < 0.95) {
    for (const int64_t point : tuner.Next(1)) {
      const auto seconds = kernel.Seconds(point);
      best = std::min(best, seconds.value_or(best));
      tuner.Update({point, seconds});
    }
  }
  return tuner.num_results();
}

int64_t Median(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

TEST(TunerComparisonTest, LearningTunersNeedFewerTrials) {
  std::vector<int64_t> random, genetic, model;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const KernelLike kernel(20'000, seed);
    random.push_back(
        TrialsTo95(*MakeTuner("random", kernel.space(), seed), kernel));
    genetic.push_back(
        TrialsTo95(*MakeGeneticTuner(kernel.space(), seed), kernel));
    model.push_back(
        TrialsTo95(*MakeModelTuner(kernel.space(), seed, {}), kernel));
  }
  std::cout << "trials to 95 %, median of 20: random " << Median(random)
            << ", genetic " << Median(genetic) << ", model " << Median(model)
            << "\n";
  EXPECT_LT(Median(genetic) * 2, Median(random));
  EXPECT_LT(Median(model) * 2, Median(genetic));
}

}  // namespace
}  // namespace assay::tune
