#include "reports/stats/block_design.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace assay::stats {
namespace {

using Rounds = std::vector<std::vector<int>>;

TEST(BlockDesignTest, MirrorsTheRoundsOfTwoContenders) {
  const Rounds kBaseFirst = {{0, 1}, {1, 0}};
  const Rounds kNewFirst = {{1, 0}, {0, 1}};
  int base_first = 0;
  for (int64_t block = 0; block < 1000; ++block) {
    const Rounds rounds = BlockDesign(2, 1, block);
    EXPECT_TRUE(rounds == kBaseFirst || rounds == kNewFirst);
    base_first += rounds == kBaseFirst;
  }
  // 4.4 standard deviations of a fair coin.
  EXPECT_GT(base_first, 430);
  EXPECT_LT(base_first, 570);
}

TEST(BlockDesignTest, HasOneRoundForOneContender) {
  EXPECT_EQ(BlockDesign(1, 7, 3), Rounds{{0}});
}

// Each contender occurs once per round, equally often in each position, and
// equally often directly after each other contender.
TEST(BlockDesignTest, BalancesPositionsAndCarryOver) {
  for (int n = 2; n <= 9; ++n) {
    for (int64_t block = 0; block < 5; ++block) {
      const Rounds rounds = BlockDesign(n, 42, block);
      ASSERT_EQ(rounds.size(), static_cast<size_t>(RoundsPerBlock(n)));
      std::map<std::pair<int, size_t>, int> places;
      std::map<std::pair<int, int>, int> followers;
      for (const std::vector<int>& order : rounds) {
        EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(),
                  static_cast<size_t>(n));
        for (size_t i = 0; i < order.size(); ++i) {
          ++places[{order[i], i}];
          if (i > 0) ++followers[{order[i - 1], order[i]}];
        }
      }
      const int times = RoundsPerBlock(n) / n;
      EXPECT_EQ(places.size(), static_cast<size_t>(n * n)) << n;
      for (const auto& [place, count] : places) EXPECT_EQ(count, times) << n;
      EXPECT_EQ(followers.size(), static_cast<size_t>(n * (n - 1))) << n;
      for (const auto& [pair, count] : followers) {
        EXPECT_EQ(count, times)
            << n << ": " << pair.first << " before " << pair.second;
      }
    }
  }
}

TEST(BlockDesignTest, IsDeterministic) {
  EXPECT_EQ(BlockDesign(4, 9, 3), BlockDesign(4, 9, 3));
  std::set<Rounds> seen;
  for (int64_t block = 0; block < 20; ++block) {
    seen.insert(BlockDesign(4, 9, block));
    seen.insert(BlockDesign(4, 10, block));
  }
  // There are 144 designs for four contenders, so forty draws repeat a few.
  EXPECT_GT(seen.size(), 30u);
}

}  // namespace
}  // namespace assay::stats
