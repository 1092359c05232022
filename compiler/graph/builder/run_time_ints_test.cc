#include "compiler/graph/builder/run_time_ints.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// The elements of the first output of a graph whose inputs `%n` and `%m` lie
// between 0 and 100, and 2 and 5: numbers, names of inputs, or limits.
std::string Elements(const std::string& nodes, const std::string& result) {
  const std::unique_ptr<Graph> graph = GraphFromText(
      absl::StrCat("graph g(%n: int64[], %m: int64[], %x: int64[2], %b: "
                   "bool[]) -> (",
                   result, ") {", nodes, "}"));
  RunTimeInts ints;
  ints.SetLimits({graph->inputs()[0]}, 0, 100);
  ints.SetLimits({graph->inputs()[1]}, 2, 5);
  for (const Node* node : graph->Nodes()) ints.Observe(*node);
  std::vector<std::string> texts;
  for (const RunTimeInt& x : ints.Find(graph->outputs()[0].value)) {
    if (x.is_number()) {
      texts.push_back(absl::StrCat(x.low));
    } else if (x.tensor.node->kind() == OpKind::kInput) {
      texts.push_back(absl::StrCat(
          x.tensor.node->name(), x.element > 0 ? absl::StrCat(x.element) : ""));
    } else {
      texts.push_back(absl::StrCat(
          "[", x.low == RunTimeInt::kLowest ? "" : absl::StrCat(x.low), ",",
          x.has_upper_limit() ? absl::StrCat(x.high) : "", "]"));
    }
  }
  return absl::StrJoin(texts, " ");
}

TEST(RunTimeIntsTest, FollowsDataMovements) {
  EXPECT_EQ(Elements(R"(
      %1: int64[1] = reshape(%n) {shape=[1]}
      %2: int64[3] = constant {value=[7,8,9]}
      %3: int64[6] = concat(%2, %x, %1) {axis=0}
      %4: int64[2,3] = reshape(%3) {shape=[2,3]}
      %5: int64[3,2] = transpose(%4) {perm=[1,0]}
      %6: int64[3,1] = slice(%5) {begins=[0,1], steps=[1,1], sizes=[3,1]}
      %7: int32[3,1] = cast(%6) {dtype=int32}
      %8: int32[3,2] = broadcast_to(%7) {shape=[3,2]})",
                     "%8"),
            "[,] [,] [,] [,] n n");
  EXPECT_EQ(Elements(R"(
      %1: int64[1] = reshape(%n) {shape=[1]}
      %2: int64[1] = constant {value=[4]}
      %3: int64[2] = concat(%1, %2) {axis=0}
      %4: int64[3] = constant {value=[-1,0,1]}
      %5: int64[3] = gather(%3, %4) {axis=0})",
                     "%5"),
            "4 n 4");
  EXPECT_EQ(Elements(R"(
      %1: int64[2] = constant {value=[4,9]}
      %2: int64[] = gather(%1, %n) {axis=0})",
                     "%2"),
            "[4,9]");
}

TEST(RunTimeIntsTest, ComputesLimits) {
  const auto of = [](const std::string& node) {
    return Elements(absl::StrCat("%1: int64[] = constant {value=[10]} "
                                 "%2: int64[] = constant {value=[0]} ",
                                 node),
                    "%3");
  };
  EXPECT_EQ(of("%3: int64[] = add(%n, %m)"), "[2,105]");
  EXPECT_EQ(of("%3: int64[] = subtract(%m, %n)"), "[-98,5]");
  EXPECT_EQ(of("%3: int64[] = multiply(%n, %m)"), "[0,500]");
  EXPECT_EQ(of("%3: int64[] = divide(%n, %m)"), "[0,50]");
  EXPECT_EQ(of("%3: int64[] = floor_mod(%n, %m)"), "[0,4]");
  EXPECT_EQ(of("%3: int64[] = minimum(%n, %1)"), "[0,10]");
  EXPECT_EQ(of("%3: int64[] = maximum(%n, %1)"), "[10,100]");
  EXPECT_EQ(of("%3: int64[] = negate(%n)"), "[-100,0]");
  EXPECT_EQ(of("%3: int64[] = add(%n, %2)"), "n");
  EXPECT_EQ(of("%3: int64[] = maximum(%n, %2)"), "n");
  EXPECT_EQ(of("%3: int64[] = minimum(%m, %1)"), "m");
  EXPECT_EQ(of("%3: int64[] = multiply(%n, %2)"), "0");
  EXPECT_EQ(of("%3: int64[] = subtract(%n, %n)"), "0");
  EXPECT_EQ(of("%3: bool[] = less(%m, %1)"), "1");
  EXPECT_EQ(of("%3: bool[] = equal(%m, %1)"), "0");
  EXPECT_EQ(of("%3: bool[] = less(%n, %1)"), "[0,1]");
  EXPECT_EQ(of("%3: int64[2] = add(%x, %1)"), "[,] [,]");
  EXPECT_EQ(of("%3: int64[2] = minimum(%x, %1)"), "[,10] [,10]");
}

TEST(RunTimeIntsTest, ReducesAndSelects) {
  EXPECT_EQ(Elements(R"(
      %1: int64[2] = constant {value=[300,7]}
      %2: int64[1] = reshape(%n) {shape=[1]}
      %3: int64[3] = concat(%1, %2) {axis=0}
      %4: int64[] = reduce_min(%3) {axes=[0]})",
                     "%4"),
            "[0,7]");
  EXPECT_EQ(Elements(R"(
      %1: int64[1] = constant {value=[300]}
      %2: int64[1] = reshape(%n) {shape=[1]}
      %3: int64[2] = concat(%1, %2) {axis=0}
      %4: int64[] = reduce_min(%3) {axes=[0]})",
                     "%4"),
            "n");
  // The shape of an Expand as exporters write it: -1 stands for 1.
  EXPECT_EQ(Elements(R"(
      %1: int64[1] = constant {value=[-1]}
      %2: int64[1] = reshape(%n) {shape=[1]}
      %3: int64[2] = concat(%1, %2) {axis=0}
      %4: int64[2] = constant {value=[1,1]}
      %5: bool[2] = equal(%3, %1)
      %6: int64[2] = select(%5, %4, %3))",
                     "%6"),
            "1 n");
  EXPECT_EQ(Elements("%1: int64[] = select(%b, %n, %m)", "%1"), "[0,100]");
}

TEST(RunTimeIntsTest, FindsEqualOperations) {
  EXPECT_EQ(Elements(R"(
      %1: int64[] = add(%n, %m)
      %2: int64[] = add(%m, %n)
      %3: int64[] = subtract(%1, %2))",
                     "%3"),
            "0");
  EXPECT_EQ(Elements(R"(
      %1: int64[] = subtract(%n, %m)
      %2: int64[] = subtract(%m, %n)
      %3: bool[] = equal(%1, %2))",
                     "%3"),
            "[0,1]");
  EXPECT_EQ(Elements(R"(
      %1: int64[] = select(%b, %n, %m)
      %2: int64[] = select(%b, %n, %m)
      %3: bool[] = equal(%1, %2))",
                     "%3"),
            "1");
}

TEST(RunTimeIntsTest, CombinesWithoutNodes) {
  const auto graph = GraphFromText(R"(
      graph g(%n: int64[], %m: int64[]) -> (%1) {
        %1: int64[] = add(%n, %m)
      })");
  RunTimeInts ints;
  const Value sum = graph->outputs()[0].value;
  ints.Observe(*sum.node);
  const RunTimeInt n = ints.Find({graph->inputs()[0]})[0];
  const RunTimeInt m = ints.Find({graph->inputs()[1]})[0];
  EXPECT_FALSE(ints.Combine(OpKind::kMultiply, n, m).has_value());
  EXPECT_EQ(ints.Combine(OpKind::kAdd, m, n)->tensor, sum);
  EXPECT_EQ(RunTimeInts::KeyOf(RunTimeInt::Number(-3)), "-3");
  EXPECT_NE(RunTimeInts::KeyOf(n), RunTimeInts::KeyOf(m));
  ints.Memo("a") = sum;
  EXPECT_EQ(ints.Memo("a"), sum);
  EXPECT_EQ(ints.Memo("b").node, nullptr);
}

TEST(RunTimeIntsTest, FindsFactors) {
  const auto graph = GraphFromText(R"(
      graph g(%n: int64[], %m: int64[]) -> (%3) {
        %1: int64[] = constant {value=[4]}
        %2: int64[] = multiply(%n, %1)
        %3: int64[] = multiply(%m, %2)
      })");
  RunTimeInts ints;
  for (const Node* node : graph->Nodes()) ints.Observe(*node);
  const RunTimeInt n = ints.Find({graph->inputs()[0]})[0];
  const RunTimeInt m = ints.Find({graph->inputs()[1]})[0];
  const RunTimeInt product = ints.Find(graph->outputs()[0].value)[0];
  EXPECT_EQ(ints.FactorsOf(product),
            (std::vector<RunTimeInt>{m, n, RunTimeInt::Number(4)}));
  EXPECT_EQ(ints.FactorsOf(n), (std::vector<RunTimeInt>{n}));
}

// Floats and large tensors.
TEST(RunTimeIntsTest, IgnoresOtherTensors) {
  const auto graph = GraphFromText(R"(
      graph g(%x: float32[2], %y: int64[65]) -> (%1) {
        %1: float32[2] = exp(%x)
      })");
  RunTimeInts ints;
  EXPECT_TRUE(ints.Find({graph->inputs()[0]}).empty());
  EXPECT_TRUE(ints.Find({graph->inputs()[1]}).empty());
}

}  // namespace
}  // namespace assay::graph
