#include "compiler/graph/passes/pack_dense.h"

#include <memory>

#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// Panels of four columns and of even depth, for products of two rows or more.
std::optional<DensePanels> Fours(int64_t rows, int64_t, int64_t depth) {
  if (rows < 2) return std::nullopt;
  return DensePanels{4, (depth + 1) / 2 * 2};
}

TEST(PackDenseTest, PacksWeightsOfDense) {
  EXPECT_EQ(CheckPass(std::make_unique<PackDense>(Fours),
                      R"(graph g(%x: float32[2,3]) -> (%3) {
            %1: float32[5,3] = constant {fill=0.5}
            %2: float32[2,5] = dense(%x, %1)
            %3: float32[2,5] = relu(%2)
          })",
                      R"(graph g(%x: float32[2,3]) -> (%6) {
            %1: float32[5,3] = constant {fill=0.5}
            %2: float32[8,4] = pad(%1) {before=[0,0], after=[3,1]}
            %3: float32[2,4,4] = reshape(%2) {shape=[2,4,4]}
            %4: float32[2,4,4] = transpose(%3) {perm=[0,2,1]}
            %5: float32[2,5] = packed_dense(%x, %4) {units=5}
            %6: float32[2,5] = relu(%5)
          })"),
            "");
}

TEST(PackDenseTest, MergesLeadingAxesIntoRows) {
  EXPECT_EQ(CheckPass(std::make_unique<PackDense>(Fours),
                      R"(graph g(%x: float32[2,3,4]) -> (%2) {
            %1: float32[4,8] = constant {fill=0.5}
            %2: float32[2,3,8] = matmul(%x, %1)
          })",
                      R"(graph g(%x: float32[2,3,4]) -> (%6) {
            %1: float32[4,8] = constant {fill=0.5}
            %2: float32[4,2,4] = reshape(%1) {shape=[4,2,4]}
            %3: float32[2,4,4] = transpose(%2) {perm=[1,0,2]}
            %4: float32[6,4] = reshape(%x) {shape=[6,4]}
            %5: float32[6,8] = packed_dense(%4, %3) {units=8}
            %6: float32[2,3,8] = reshape(%5) {shape=[2,3,8]}
          })"),
            "");
}

TEST(PackDenseTest, TurnsProductOfFewRowsIntoDense) {
  EXPECT_EQ(CheckPass(std::make_unique<PackDense>(Fours),
                      R"(graph g(%x: float32[1,1,4]) -> (%2) {
            %1: float32[4,8] = constant {fill=0.5}
            %2: float32[1,1,8] = matmul(%x, %1)
          })",
                      R"(graph g(%x: float32[1,1,4]) -> (%5) {
            %1: float32[4,8] = constant {fill=0.5}
            %2: float32[8,4] = transpose(%1) {perm=[1,0]}
            %3: float32[1,4] = reshape(%x) {shape=[1,4]}
            %4: float32[1,8] = dense(%3, %2)
            %5: float32[1,1,8] = reshape(%4) {shape=[1,1,8]}
          })"),
            "");
}

TEST(PackDenseTest, KeepsSingleRowsAndComputedWeights) {
  const char* text =
      R"(graph g(%x: float32[1,3], %y: float32[2,3], %v: float32[5,3]) -> (%2, %3) {
        %1: float32[5,3] = constant {fill=0.5}
        %2: float32[1,5] = dense(%x, %1)
        %3: float32[2,5] = dense(%y, %v)
      })";
  EXPECT_EQ(CheckPass(std::make_unique<PackDense>(Fours), text, text), "");
}

TEST(PackDenseTest, PreservesResultsOfRandomGraphs) {
  const auto passes = [] {
    PassList list;
    list.push_back(std::make_unique<PackDense>(
        [](int64_t, int64_t, int64_t depth) -> std::optional<DensePanels> {
          return DensePanels{4, depth};
        }));
    return list;
  };
  EXPECT_EQ(CheckOnRandomGraphs(passes, 20), "");
}

}  // namespace
}  // namespace assay::graph
