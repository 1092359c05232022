#include "compiler/graph/passes/dead_code.h"

#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

TEST(DeadCodeTest, ErasesChainsButNotInputs) {
  EXPECT_EQ(CheckPass(std::make_unique<DeadCode>(), R"(
      graph g(%x: float32[2], %unused: float32[2]) -> (%1) {
        %1: float32[2] = relu(%x)
        %2: float32[2] = constant {value=[1,2]}
        %3: float32[2] = add(%1, %2)
        %4: float32[2] = relu(%3)
      })",
                      R"(
      graph g(%x: float32[2], %unused: float32[2]) -> (%1) {
        %1: float32[2] = relu(%x)
      })"),
            "");
}

TEST(DeadCodeTest, KeepsOperandsOfOutputs) {
  constexpr char kText[] = R"(
      graph g(%x: float32[2]) -> (%1, %2) {
        %1: float32[2] = relu(%x)
        %2: float32[2] = constant {value=[1,2]}
      })";
  EXPECT_EQ(CheckPass(std::make_unique<DeadCode>(), kText, kText), "");
}

TEST(EraseIfDeadTest, ErasesDeadOperands) {
  const auto graph = GraphFromText(R"(
      graph g(%x: float32[2]) -> (%1) {
        %1: float32[2] = relu(%x)
        %2: float32[2] = relu(%1)
        %3: float32[2] = multiply(%2, %2)
        %4: float32[2] = add(%3, %1)
      })");
  Node* last = graph->Nodes().back();
  EraseIfDead(*graph, last->input(0).node);  // in use: nothing happens
  EXPECT_EQ(graph->num_nodes(), 5);
  EraseIfDead(*graph, last);
  EXPECT_EQ(DiffAgainstText(*graph, R"(
      graph g(%x: float32[2]) -> (%1) {
        %1: float32[2] = relu(%x)
      })"),
            "");
}

}  // namespace
}  // namespace assay::graph
