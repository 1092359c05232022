#include "compiler/graph/passes/post_dominators.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// `%1->%3 elemwise, %3->exit` for each operator in graph order.
std::string Tree(absl::string_view text) {
  const auto graph = GraphFromText(text);
  const PostDominators tree(*graph);
  std::string result;
  for (const Node* node : graph->Nodes()) {
    if (!IsOperator(*node)) continue;
    if (!result.empty()) absl::StrAppend(&result, ", ");
    absl::StrAppend(&result, ToString(Value{const_cast<Node*>(node)}), "->");
    Node* parent = tree.Parent(node);
    if (parent == nullptr) {
      absl::StrAppend(&result, "exit");
    } else {
      absl::StrAppend(&result, ToString(Value{parent}), " ",
                      PatternName(tree.Edge(node)));
    }
  }
  return result;
}

TEST(PostDominatorsTest, FollowsChain) {
  EXPECT_EQ(Tree(R"(
      graph g(%x: float32[2,3], %b: float32[4,2,3]) -> (%4) {
        %1: float32[2,3] = relu(%x)
        %2: float32[4,2,3] = add(%1, %b)
        %3: float32[4,2,3] = add(%2, %b)
        %4: float32[24] = reshape(%3) {shape=[24]}
      })"),
            "%1->%2 broadcast, %2->%3 elemwise, %3->%4 injective, %4->exit");
}

TEST(PostDominatorsTest, DiamondJoinsAtItsEnd) {
  EXPECT_EQ(Tree(R"(
      graph g(%x: float32[2,2]) -> (%5) {
        %1: float32[2,2] = relu(%x)
        %2: float32[2,2] = relu(%1)
        %3: float32[2,2] = transpose(%1) {perm=[1,0]}
        %4: float32[2,2] = relu(%3)
        %5: float32[2,2] = add(%2, %4)
      })"),
            "%1->%5 injective, %2->%5 elemwise, %3->%4 elemwise, %4->%5 "
            "elemwise, %5->exit");
}

TEST(PostDominatorsTest, OutputOnPathLeadsToExit) {
  EXPECT_EQ(Tree(R"(
      graph g(%x: float32[2]) -> (%3, %2) {
        %1: float32[2] = relu(%x)
        %2: float32[2] = relu(%1)
        %3: float32[2] = relu(%2)
      })"),
            "%1->%2 elemwise, %2->exit, %3->exit");
}

TEST(PostDominatorsTest, TwoOutputsHaveNoCommonSink) {
  EXPECT_EQ(Tree(R"(
      graph g(%x: float32[2]) -> (%3, %2) {
        %1: float32[2] = relu(%x)
        %2: float32[2] = relu(%1)
        %3: float32[2] = multiply(%1, %1)
      })"),
            "%1->exit, %2->exit, %3->exit");
}

TEST(PostDominatorsTest, HandlesSameUserTwice) {
  EXPECT_EQ(Tree(R"(
      graph g(%x: float32[2]) -> (%3) {
        %1: float32[2] = relu(%x)
        %3: float32[2] = multiply(%1, %1)
      })"),
            "%1->%3 elemwise, %3->exit");
}

}  // namespace
}  // namespace assay::graph
