#include "compiler/tune/search/annealing.h"

#include <algorithm>
#include <set>
#include <vector>

#include "compiler/tune/search/testing/kernel_like.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::tune {
namespace {

using ::testing::IsEmpty;
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
  // Good points differ by a few percent. With a temperature far above these
  // differences, chains would leave a good point as often as they find one.
  AnnealingOptions options;
  options.temperature = 0.03;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const KernelLike kernel(200'000, seed);
    const PointFunction times = TimesOf(kernel);
    Rng rng(seed);
    const std::vector<int64_t> starts = kernel.space().Sample(32, {}, rng);
    const std::vector<int64_t> found =
        Anneal(kernel.space(), times, starts, {}, 20, options, rng);
    ASSERT_THAT(found, SizeIs(20));
    EXPECT_THAT(std::set<int64_t>(found.begin(), found.end()), SizeIs(20));
    const std::vector<float> values = times(found);
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    EXPECT_LT(values[0], kernel.best() * 1.05);
    const std::vector<float> at_start = times(starts);
    EXPECT_LT(values[19], *std::min_element(at_start.begin(), at_start.end()));
  }
}

TEST(AnnealTest, LeavesOutVisitedPoints) {
  const KernelLike kernel(40, 3);
  const PointFunction times = TimesOf(kernel);
  PointSet visited;
  for (int64_t point = 0; point < kernel.space().size(); ++point) {
    if (point != 7 && point != 9) visited.insert(point);
  }
  // Chains that are so hot take each step, and see all points of the space,
  // slow ones such as point 7 too.
  AnnealingOptions hot;
  hot.temperature = 1000;
  Rng rng(1);
  const std::vector<int64_t> found =
      Anneal(kernel.space(), times, {0, 1, 2, 3}, visited, 20, hot, rng);
  EXPECT_EQ(std::set<int64_t>(found.begin(), found.end()),
            (std::set<int64_t>{7, 9}));
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
