#include "compiler/graph/encoding/winograd.h"

#include <vector>

#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// Minimal filtering in one dimension is bilinear: it is correct for all data
// and filters if it is correct for every pair of unit vectors.
TEST(WinogradTest, FiltersEveryPairOfUnitVectors) {
  for (const int64_t m : kWinogradTiles) {
    const WinogradMatrices* w = FindWinograd(m);
    ASSERT_NE(w, nullptr);
    ASSERT_EQ(w->alpha, m + 2);
    for (int64_t d = 0; d < w->alpha; ++d) {
      for (int64_t g = 0; g < 3; ++g) {
        for (int64_t y = 0; y < m; ++y) {
          double sum = 0;
          for (int64_t i = 0; i < w->alpha; ++i) {
            sum += w->output.at(y, i) * w->filter.at(i, g) * w->input.at(i, d);
          }
          EXPECT_NEAR(sum, d == y + g ? 1 : 0, 1e-12)
              << m << ": data " << d << " filter " << g << " output " << y;
        }
      }
    }
  }
  EXPECT_EQ(FindWinograd(3), nullptr);
}

}  // namespace
}  // namespace assay::graph
