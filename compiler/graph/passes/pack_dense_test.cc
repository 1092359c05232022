#include "compiler/graph/passes/pack_dense.h"

#include <memory>

#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// Panels of four columns and of even depth, for products of two rows or more.
std::optional<DensePanels> Fours(const DenseProduct& product) {
  if (product.rows < 2) return std::nullopt;
  return DensePanels{4, (product.depth + 1) / 2 * 2, 1, DType()};
}

// Integers: panels of two columns, with pairs of neighbours as int16.
TEST(PackDenseTest, PacksNeighboursOfIntegers) {
  const auto pairs = [](const DenseProduct&) -> std::optional<DensePanels> {
    return DensePanels{2, 4, 2, DType::Int(16)};
  };
  EXPECT_EQ(
      CheckPass(std::make_unique<PackDense>(pairs),
                R"(graph g(%x: uint8[1,2,3], %w: uint8[2,3]) -> (%3, %4) {
  %1: int8[3,3] = constant {value=[1,2,3,4,5,6,7,8,9]}
  %3: int32[1,2,3] = matmul(%x, %1)
  %4: int32[2,3] = dense(%w, %1)
})",
                R"(graph g(%x: uint8[1,2,3], %w: uint8[2,3]) -> (%8, %14) {
  %1: int8[3,3] = constant {value=[1,2,3,4,5,6,7,8,9]}
  %2: int8[4,4] = pad(%1) {before=[0,0], after=[1,1]}
  %3: int16[4,4] = cast(%2) {dtype=int16}
  %4: int16[2,2,2,2] = reshape(%3) {shape=[2,2,2,2]}
  %5: int16[2,2,2,2] = transpose(%4) {perm=[2,0,3,1]}
  %6: uint8[2,3] = reshape(%x) {shape=[2,3]}
  %7: int32[2,3] = packed_dense(%6, %5) {units=3}
  %8: int32[1,2,3] = reshape(%7) {shape=[1,2,3]}
  %10: int8[4,4] = pad(%1) {before=[0,0], after=[1,1]}
  %11: int16[4,4] = cast(%10) {dtype=int16}
  %12: int16[2,2,2,2] = reshape(%11) {shape=[2,2,2,2]}
  %13: int16[2,2,2,2] = transpose(%12) {perm=[0,2,1,3]}
  %14: int32[2,3] = packed_dense(%w, %13) {units=3}
})"),
      "");
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

// Panels of 16 columns in tiles of 32 rows, of which each pair is adjacent.
TEST(PackDenseTest, SplitsWeights) {
  const auto split = [](const DenseProduct& product) {
    DensePanels panels;
    panels.width = 16;
    panels.depth = (product.depth + 31) / 32 * 32;
    panels.bfloat16_parts = 2;
    return std::optional<DensePanels>(panels);
  };
  EXPECT_EQ(CheckPass(std::make_unique<PackDense>(split),
                      R"(graph g(%x: float32[2,40]) -> (%2) {
            %1: float32[20,40] = constant {fill=0.5}
            %2: float32[2,20] = dense(%x, %1)
          })",
                      R"(graph g(%x: float32[2,40]) -> (%6) {
            %1: float32[20,40] = constant {fill=0.5}
            %2: float32[32,64] = pad(%1) {before=[0,0], after=[12,24]}
            %3: bfloat16[2,32,64] = split_bfloat16(%2)
            %4: bfloat16[2,2,16,2,16,2] = reshape(%3) {shape=[2,2,16,2,16,2]}
            %5: bfloat16[2,2,2,16,16,2] = transpose(%4) {perm=[1,3,0,4,2,5]}
            %6: float32[2,20] = packed_dense(%x, %5) {units=20}
          })"),
            "");
  EXPECT_EQ(CheckPass(std::make_unique<PackDense>(split),
                      R"(graph g(%x: float32[2,96]) -> (%2) {
            %1: float32[96,32] = constant {fill=0.5}
            %2: float32[2,32] = matmul(%x, %1)
          })",
                      R"(graph g(%x: float32[2,96]) -> (%6) {
            %1: float32[96,32] = constant {fill=0.5}
            %3: bfloat16[2,96,32] = split_bfloat16(%1)
            %4: bfloat16[2,3,16,2,2,16] = reshape(%3) {shape=[2,3,16,2,2,16]}
            %5: bfloat16[2,3,2,16,16,2] = transpose(%4) {perm=[4,1,0,2,5,3]}
            %6: float32[2,32] = packed_dense(%x, %5) {units=32}
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
        [](const DenseProduct& product) -> std::optional<DensePanels> {
          return DensePanels{4, product.depth, 1, DType()};
        }));
    return list;
  };
  EXPECT_EQ(CheckOnRandomGraphs(passes, 20), "");
}

}  // namespace
}  // namespace assay::graph
