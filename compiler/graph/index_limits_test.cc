#include "compiler/graph/index_limits.h"

#include <optional>
#include <vector>

#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

using ::testing::ElementsAre;

TEST(IndexLimitsTest, RowsOfTheSmallestTable) {
  const auto graph = GraphFromText(R"(
      graph g(%ids: int32[1,4], %words: float32[30,8], %kinds: float32[2,8])
          -> (%3, %4) {
        %1: int32[4] = reshape(%ids) {shape=[4]}
        %2: int64[4] = cast(%1) {dtype=int64}
        %3: float32[4,8] = gather(%words, %2) {axis=0}
        %4: float32[4,8] = gather(%kinds, %2) {axis=0}
      })");
  EXPECT_THAT(IndexLimits(*graph), ElementsAre(2, std::nullopt, std::nullopt));
}

TEST(IndexLimitsTest, DepthOfAOneHot) {
  const auto graph = GraphFromText(R"(
      graph g(%x: int64[4,1], %mask: int64[4,1]) -> (%3, %4) {
        %1: int64[1,3] = constant {value=[0,1,2]}
        %2: int64[1,1] = constant {value=[0]}
        %3: bool[4,3] = equal(%x, %1)
        %4: bool[4,1] = equal(%mask, %2)
      })");
  EXPECT_THAT(IndexLimits(*graph), ElementsAre(3, std::nullopt));
}

TEST(IndexLimitsTest, DataOfAGatherAreNoIndices) {
  const auto graph = GraphFromText(R"(
      graph g(%x: int64[5], %i: int64[2]) -> (%1) {
        %1: int64[2] = gather(%x, %i) {axis=0}
      })");
  EXPECT_THAT(IndexLimits(*graph), ElementsAre(std::nullopt, 5));
}

}  // namespace
}  // namespace assay::graph
