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

TEST(BlockDesignTest, TwoArmsAreMirrored) {
  const Rounds kBaseFirst = {{0, 1}, {1, 0}};
  const Rounds kNewFirst = {{1, 0}, {0, 1}};
  int base_first = 0;
  for (int64_t block = 0; block < 1000; ++block) {
    const Rounds rounds = BlockDesign(2, 1, block);
    EXPECT_TRUE(rounds == kBaseFirst || rounds == kNewFirst);
    base_first += rounds == kBaseFirst;
  }
  // A fair coin: 4.4 standard deviations.
  EXPECT_GT(base_first, 430);
  EXPECT_LT(base_first, 570);
}

TEST(BlockDesignTest, OneArmHasNoChoice) {
  EXPECT_EQ(BlockDesign(1, 7, 3), Rounds{{0}});
}

// Each arm once per round, at each place equally often, and directly after each
// other arm equally often.
TEST(BlockDesignTest, PlacesAndFollowersAreBalanced) {
  for (int arms = 2; arms <= 9; ++arms) {
    for (int64_t block = 0; block < 5; ++block) {
      const Rounds rounds = BlockDesign(arms, 42, block);
      ASSERT_EQ(rounds.size(), static_cast<size_t>(RoundsPerBlock(arms)));
      std::map<std::pair<int, size_t>, int> places;
      std::map<std::pair<int, int>, int> followers;
      for (const std::vector<int>& order : rounds) {
        EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(),
                  static_cast<size_t>(arms));
        for (size_t i = 0; i < order.size(); ++i) {
          ++places[{order[i], i}];
          if (i > 0) ++followers[{order[i - 1], order[i]}];
        }
      }
      const int times = RoundsPerBlock(arms) / arms;
      EXPECT_EQ(places.size(), static_cast<size_t>(arms * arms)) << arms;
      for (const auto& [place, count] : places) EXPECT_EQ(count, times) << arms;
      EXPECT_EQ(followers.size(), static_cast<size_t>(arms * (arms - 1)))
          << arms;
      for (const auto& [pair, count] : followers) {
        EXPECT_EQ(count, times)
            << arms << ": " << pair.first << " before " << pair.second;
      }
    }
  }
}

TEST(BlockDesignTest, IsAFunctionOfItsArgumentsOnly) {
  EXPECT_EQ(BlockDesign(4, 9, 3), BlockDesign(4, 9, 3));
  std::set<Rounds> seen;
  for (int64_t block = 0; block < 20; ++block) {
    seen.insert(BlockDesign(4, 9, block));
    seen.insert(BlockDesign(4, 10, block));
  }
  // 144 designs of four arms can be drawn; forty draws repeat a few.
  EXPECT_GT(seen.size(), 30u);
}

}  // namespace
}  // namespace assay::stats
