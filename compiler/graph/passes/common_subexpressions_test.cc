#include "compiler/graph/passes/common_subexpressions.h"

#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

TEST(CommonSubexpressionsTest, MergesEqualTrees) {
  EXPECT_EQ(CheckPass(std::make_unique<CommonSubexpressions>(), R"(
      graph g(%x: float32[2]) -> (%7) {
        %1: float32[2] = constant {value=[1,2]}
        %2: float32[2] = constant {value=[1,2]}
        %3: float32[2] = add(%x, %1)
        %4: float32[2] = add(%2, %x)
        %5: float32[2] = relu(%3)
        %6: float32[2] = relu(%4)
        %7: float32[2] = multiply(%5, %6)
      })",
                      R"(
      graph g(%x: float32[2]) -> (%7) {
        %1: float32[2] = constant {value=[1,2]}
        %3: float32[2] = add(%x, %1)
        %5: float32[2] = relu(%3)
        %7: float32[2] = multiply(%5, %5)
      })"),
            "");
}

TEST(CommonSubexpressionsTest, RedirectsOutputsAndMergesSources) {
  const auto graph = GraphFromText(R"(
      graph g(%x: float32[2]) -> (a=%1, b=%2) {
        %1: float32[2] = relu(%x) "r1"
        %2: float32[2] = relu(%x) "r2"
      })");
  ASSERT_TRUE(
      RunChecked(std::make_unique<CommonSubexpressions>(), *graph).ok());
  EXPECT_EQ(graph->num_nodes(), 2);
  EXPECT_EQ(graph->outputs()[0].value, graph->outputs()[1].value);
  EXPECT_EQ(graph->outputs()[0].value.node->sources(),
            (std::vector<std::string>{"r1", "r2"}));
}

TEST(CommonSubexpressionsTest, KeepsDifferentAttributesOperandsAndTypes) {
  constexpr char kText[] = R"(
      graph g(%x: float32[2,2], %y: float32[2,2]) -> (%7) {
        %1: float32[2,2] = transpose(%x) {perm=[1,0]}
        %2: float32[2,2] = transpose(%x) {perm=[0,1]}
        %3: float32[2,2] = transpose(%y) {perm=[1,0]}
        %4: int32[1] = constant {value=[0]}
        %5: int32[1,1] = constant {value=[0]}
        %6: float32[4,2] = concat(%1, %2) {axis=0}
        %7: float32[4,2] = concat(%2, %1) {axis=0}
      })";
  EXPECT_EQ(CheckPass(std::make_unique<CommonSubexpressions>(), kText, kText),
            "");
}

TEST(CommonSubexpressionsTest, PreservesResultsOfRandomGraphs) {
  EXPECT_EQ(CheckOnRandomGraphs(
                [] {
                  PassList passes;
                  passes.push_back(std::make_unique<CommonSubexpressions>());
                  return passes;
                },
                60),
            "");
}

}  // namespace
}  // namespace assay::graph
