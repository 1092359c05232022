#include "compiler/graph/passes/fold_constants.h"

#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

TEST(FoldConstantsTest, FoldsChainsAndErasesOperands) {
  EXPECT_EQ(CheckPass(std::make_unique<FoldConstants>(), R"(
      graph g(%x: float32[2,2]) -> (%6) {
        %1: int64[2] = constant {value=[4,1]}
        %2: int64[] = constant {value=[0]}
        %3: int64[] = gather(%1, %2) {axis=0}
        %4: float32[2] = constant {value=[1,2]}
        %5: float32[2] = add(%4, %4)
        %6: float32[2,2] = multiply(%x, %5)
        %7: int64[1] = reshape(%3) {shape=[1]}
      })",
                      R"(
      graph g(%x: float32[2,2]) -> (%6) {
        %5: float32[2] = constant {value=[2,4]}
        %6: float32[2,2] = multiply(%x, %5)
        %7: int64[1] = constant {value=[4]}
      })"),
            "");
}

TEST(FoldConstantsTest, FoldsValuesWithoutElements) {
  EXPECT_EQ(CheckPass(std::make_unique<FoldConstants>(), R"(
      graph g(%x: float32[0,3], %y: float32[2,3]) -> (a=%1, b=%3, c=%4, d=%x, e=%6) {
        %1: float32[0,3] = relu(%x)
        %2: float32[0,3] = slice(%y) {begins=[0,0], steps=[1,1], sizes=[0,3]}
        %3: float32[0,3] = add(%1, %2)
        %4: float32[3] = reduce_sum(%x) {axes=[0]}
        %5: float32[3,0] = transpose(%x) {perm=[1,0]}
        %6: float32[2,0] = matmul(%y, %5)
      })",
                      R"(
      graph g(%x: float32[0,3], %y: float32[2,3]) -> (a=%1, b=%3, c=%4, d=%2, e=%5) {
        %1: float32[0,3] = constant {value=[]}
        %2: float32[0,3] = constant {value=[]}
        %3: float32[0,3] = constant {value=[]}
        %4: float32[3] = constant {value=[0,0,0]}
        %5: float32[2,0] = constant {value=[]}
      })"),
            "");
}

TEST(FoldConstantsTest, RemovesOperandsWithoutElements) {
  EXPECT_EQ(CheckPass(std::make_unique<FoldConstants>(), R"(
      graph g(%x: float32[0,3], %y: float32[2,3]) -> (%1, %2, %5) {
        %1: float32[4,3] = concat(%y, %x, %y) {axis=0}
        %2: float32[2,3] = concat(%x, %y, %x) {axis=0}
        %3: int64[0,1] = constant {value=[]}
        %4: float32[2,3] = exp(%y)
        %5: float32[2,3] = scatter_nd(%4, %3, %x)
      })",
                      R"(
      graph g(%x: float32[0,3], %y: float32[2,3]) -> (%1, %y, %4) {
        %1: float32[4,3] = concat(%y, %y) {axis=0}
        %4: float32[2,3] = exp(%y)
      })"),
            "");
}

TEST(FoldConstantsTest, KeepsNamesOfFoldedNodes) {
  const auto graph = GraphFromText(R"(
      graph g() -> (%2) {
        %1: float32[1,2] = constant {value=[1,2]} "w"
        %2: float32[2,1] = transpose(%1) {perm=[1,0]}
      })");
  ASSERT_TRUE(RunChecked(std::make_unique<FoldConstants>(), *graph).ok());
  EXPECT_EQ(graph->num_nodes(), 1);
  EXPECT_EQ(graph->outputs()[0].value.node->name(), "w");
}

TEST(FoldConstantsTest, KeepsOperatorsWithVariableOperand) {
  constexpr char kText[] = R"(
      graph g(%x: float32[2]) -> (%2) {
        %1: float32[2] = constant {value=[1,2]}
        %2: float32[2] = add(%x, %1)
      })";
  EXPECT_EQ(CheckPass(std::make_unique<FoldConstants>(), kText, kText), "");
}

TEST(FoldConstantsTest, KeepsHugeResults) {
  constexpr char kText[] = R"(
      graph g() -> (%3) {
        %1: float32[40000,1] = constant {fill=1}
        %2: float32[40000] = constant {fill=2}
        %3: float32[40000,40000] = add(%1, %2)
      })";
  EXPECT_EQ(CheckPass(std::make_unique<FoldConstants>(), kText, kText), "");
}

TEST(FoldConstantsTest, RejectsResultsBeyondMemoryLimit) {
  const auto graph = GraphFromText(R"(
      graph g() -> (%4) {
        %1: float32[10,1] = constant {fill=1}
        %2: float32[10] = constant {fill=2}
        %3: float32[10,10] = add(%1, %2) "Add_3"
        %4: float32[10,10] = add(%3, %2) "Add_4"
      })");
  const absl::Status status =
      RunChecked(std::make_unique<FoldConstants>(600), *graph);
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_TRUE(ErrorHas(status,
                       "pass 0 (fold_constants): node `Add_4` (add) needs 400 "
                       "bytes, more than the 120 bytes that --max_memory "
                       "leaves"));
}

TEST(FoldConstantsTest, ReportsFailedEvaluation) {
  const auto graph = GraphFromText(R"(
      graph g() -> (%3) {
        %1: int64[2] = constant {value=[4,1]}
        %2: int64[] = constant {value=[2]}
        %3: int64[] = gather(%1, %2) {axis=0} "Gather_9"
      })");
  EXPECT_TRUE(ErrorHas(
      RunChecked(std::make_unique<FoldConstants>(), *graph),
      "pass 0 (fold_constants): node `Gather_9` (gather): index 2 is outside "
      "axis 0 of [2]"));
}

}  // namespace
}  // namespace assay::graph
