#include "compiler/tune/search/annealing.h"

#include <algorithm>
#include <set>
#include <vector>

#include "compiler/tune/search/testing/kernel_like.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::tune {
namespace {

using ::testing::AnyOf;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

PointFunction TimesOf(const KernelLike& kernel) {
  return [&kernel](const std::vector<int64_t>& points) {
    std::vector<float> times;
    for (const int64_t point : points) {
      times.push_back(static_cast<float>(kernel.Seconds(point).value_or(100)));
    }
    return times;
  };
}

TEST(AnnealTest, FindsGoodPoints) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const KernelLike kernel(200'000, seed);
    const PointFunction times = TimesOf(kernel);
    Rng rng(seed);
    const std::vector<int64_t> starts = kernel.space().Sample(32, {}, rng);
    const std::vector<int64_t> found =
        Anneal(kernel.space(), times, starts, {}, 20, {}, rng);
    ASSERT_THAT(found, SizeIs(20));
    EXPECT_THAT(std::set<int64_t>(found.begin(), found.end()), SizeIs(20));
    const std::vector<float> values = times(found);
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    EXPECT_LT(values[0], kernel.best() * 1.1);
    // All points are better than all but two of the 32 starts.
    std::vector<float> at_start = times(starts);
    std::sort(at_start.begin(), at_start.end());
    EXPECT_LT(values[19], at_start[2]);
  }
}

TEST(AnnealTest, LeavesOutVisitedPoints) {
  const KernelLike kernel(40, 3);
  const PointFunction times = TimesOf(kernel);
  PointSet visited;
  for (int64_t point = 0; point < kernel.space().size(); ++point) {
    if (point != 7 && point != 9) visited.insert(point);
  }
  Rng rng(1);
  const std::vector<int64_t> found =
      Anneal(kernel.space(), times, {0, 1, 2, 3}, visited, 20, {}, rng);
  EXPECT_THAT(found, Not(IsEmpty()));
  EXPECT_THAT(found, Each(AnyOf(7, 9)));
  EXPECT_THAT(Anneal(kernel.space(), times, {}, {}, 20, {}, rng), IsEmpty());
}

TEST(AnnealTest, EqualSeedsFindEqualPoints) {
  const KernelLike kernel(200'000, 3);
  const PointFunction times = TimesOf(kernel);
  Rng first(1), second(1), third(2);
  const auto anneal = [&](Rng& rng) {
    return Anneal(kernel.space(), times, {1, 10, 100}, {}, 50, {}, rng);
  };
  const std::vector<int64_t> found = anneal(first);
  EXPECT_EQ(found, anneal(second));
  EXPECT_NE(found, anneal(third));
}

}  // namespace
}  // namespace assay::tune
