#include "compiler/graph/passes/fusion_groups.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// The groups by the names of their operators: `conv add relu | pool`.
std::string Groups(absl::string_view nodes, int max_group_size = 256) {
  const auto graph = GraphFromText(absl::StrCat(
      R"(graph g(%x: float32[1,4,3,3], %z: float32[1,4,3,3],
                 %b: float32[4,1,1]) -> (%9) {
           %1: float32[4,4,1,1] = constant {fill=1}
      )",
      nodes, "}"));
  std::vector<std::string> groups;
  for (const auto& group : FusionGroups(*graph, {true, max_group_size, 0})) {
    groups.push_back(absl::StrJoin(
        group, " ", [](std::string* s, Node* n) { s->append(n->name()); }));
  }
  return absl::StrJoin(groups, " | ");
}

std::string Conv(absl::string_view id, absl::string_view x) {
  return absl::StrCat(id, ": float32[1,4,3,3] = conv2d(", x,
                      ", %1) {strides=[1,1], padding=[0,0,0,0], "
                      "dilations=[1,1], groups=1} \"conv\"\n");
}

TEST(FusionGroupsTest, AnchorsAbsorbTheirEpilogue) {
  EXPECT_EQ(Groups(Conv("%2", "%x") + R"(
      %3: float32[1,4,3,3] = add(%2, %b) "bias"
      %9: float32[1,4,3,3] = relu(%3) "relu")"),
            "conv bias relu");
}

TEST(FusionGroupsTest, ReductionsAbsorbTheirEpilogue) {
  EXPECT_EQ(Groups(R"(
      %2: float32[1,4,3,3] = relu(%x) "relu"
      %3: float32[1,4] = reduce_mean(%2) {axes=[2,3]} "mean"
      %4: float32[4] = constant {value=[1,2,3,4]}
      %5: float32[1,4] = add(%3, %4) "bias"
      %9: float32[1,4] = sqrt(%5) "sqrt")"),
            "relu mean bias sqrt");
  // The subtraction has more elements than the reduced value.
  EXPECT_EQ(Groups(R"(
      %3: float32[1,4,1,1] = reduce_mean(%x) {axes=[2,3], keepdims=true} "mean"
      %4: float32[1,4,1,1] = negate(%3) "negate"
      %9: float32[1,4,3,3] = add(%x, %4) "add")"),
            "mean negate | add");
}

TEST(FusionGroupsTest, LaterConvolutionAbsorbsResidualAdd) {
  EXPECT_EQ(Groups(Conv("%2", "%x") +
                   "%3: float32[1,4,3,3] = add(%2, %b) "
                   "\"bias1\"\n" +
                   Conv("%4", "%x") + R"(
      %5: float32[1,4,3,3] = add(%4, %b) "bias2"
      %6: float32[1,4,3,3] = add(%3, %5) "sum"
      %9: float32[1,4,3,3] = relu(%6) "relu")"),
            "conv bias1 | conv bias2 sum relu");
}

TEST(FusionGroupsTest, SharedResultEndsGroup) {
  EXPECT_EQ(Groups(Conv("%2", "%x") + R"(
      %3: float32[1,4,3,3] = relu(%2) "relu1"
      )" + Conv("%4", "%3") +
                   R"(
      %9: float32[1,4,3,3] = add(%4, %3) "sum")"),
            "conv relu1 | conv sum");
}

TEST(FusionGroupsTest, ElementwiseDiamondIsOneEpilogue) {
  EXPECT_EQ(Groups(Conv("%2", "%x") + R"(
      %3: float32[1,4,3,3] = relu(%2) "a"
      %4: float32[1,4,3,3] = multiply(%2, %b) "b"
      %9: float32[1,4,3,3] = add(%3, %4) "c")"),
            "conv a b c");
}

TEST(FusionGroupsTest, AnchorsDoNotAbsorbShapeChange) {
  EXPECT_EQ(Groups(Conv("%2", "%x") + R"(
      %3: float32[1,4,3,3] = relu(%2) "relu"
      %4: float32[1,36] = reshape(%3) {shape=[1,36]} "flat"
      %9: float32[1,36] = relu(%4) "r2")"),
            "conv relu | flat r2");
  EXPECT_EQ(Groups(Conv("%2", "%x") + R"(
      %4: float32[2,1,1,1] = constant {value=[1,2]}
      %9: float32[2,4,3,3] = add(%2, %4) "grow")"),
            "conv | grow");
}

TEST(FusionGroupsTest, ElementwiseOperatorsJoinAnEpilogue) {
  EXPECT_EQ(Groups(Conv("%2", "%x") + R"(
      %3: float32[1,4,3,3] = relu(%z) "side"
      %9: float32[1,4,3,3] = add(%3, %2) "sum")"),
            "conv side sum");
}

TEST(FusionGroupsTest, ElementwiseOperatorsDoNotJoinAnAnchorAsItsInput) {
  EXPECT_EQ(
      Groups("%2: float32[1,4,3,3] = relu(%x) \"relu\"\n" + Conv("%9", "%2")),
      "relu | conv");
  EXPECT_EQ(Groups(R"(
      %2: float32[1,4,3,3] = relu(%x) "relu"
      %9: float32[1,4,1,1] = global_avg_pool2d(%2) "pool")"),
            "relu | pool");
}

TEST(FusionGroupsTest, GroupDoesNotBypassConvolution) {
  // relu and sum join, but the convolution lies on one of the paths.
  EXPECT_EQ(Groups("%2: float32[1,4,3,3] = relu(%x) \"relu\"\n" +
                   Conv("%3", "%2") + R"(
      %9: float32[1,4,3,3] = add(%2, %3) "sum")"),
            "relu | conv sum");
}

TEST(FusionGroupsTest, PoolsAndConvolutionsDoNotShareGroup) {
  EXPECT_EQ(Groups(Conv("%2", "%x") + R"(
      %3: float32[1,4,3,3] = max_pool2d(%2) {kernel=[1,1], strides=[1,1],
          padding=[0,0,0,0]} "pool"
      %9: float32[1,4,3,3] = relu(%3) "relu")"),
            "conv | pool relu");
}

TEST(FusionGroupsTest, InjectiveOperatorsJoinEachOther) {
  EXPECT_EQ(Groups(R"(
      %2: float32[1,3,3,4] = transpose(%x) {perm=[0,2,3,1]} "t"
      %3: float32[1,36] = reshape(%2) {shape=[1,36]} "r"
      %4: float32[1,36] = relu(%3) "relu"
      %9: float32[2,36] = concat(%4, %4) {axis=0} "cat")"),
            "t r relu cat");
}

TEST(FusionGroupsTest, OutputEndsGroup) {
  const auto graph = GraphFromText(R"(
      graph g(%x: float32[2]) -> (%1, %2) {
        %1: float32[2] = relu(%x)
        %2: float32[2] = relu(%1)
      })");
  EXPECT_EQ(FusionGroups(*graph, FusionOptions()).size(), 2u);
}

TEST(FusionGroupsTest, RespectsSizeLimit) {
  const std::string nodes = R"(
      %2: float32[1,4,3,3] = relu(%x) "a"
      %3: float32[1,4,3,3] = relu(%2) "b"
      %4: float32[1,4,3,3] = relu(%3) "c"
      %9: float32[1,4,3,3] = relu(%4) "d")";
  EXPECT_EQ(Groups(nodes, 4), "a b c d");
  EXPECT_EQ(Groups(nodes, 2), "a b | c d");
  EXPECT_EQ(Groups(nodes, 1), "a | b | c | d");
}

// Convolutions write the operands into place. Fusing an elementwise operator
// with the concat would gain nothing and cost the successors their fusion.
TEST(FusionGroupsTest, ElidedConcatStaysAlone) {
  const std::string convs =
      absl::StrCat("graph g(%x: float32[1,16,4,4]) -> (%9) {\n",
                   "%1: float32[16,16,1,1] = constant {fill=1}\n",
                   "%2: float32[1,16,4,4] = conv2d(%x, %1) {strides=[1,1], ",
                   "padding=[0,0,0,0], dilations=[1,1], groups=1}\n");
  const std::string after =
      "%4: float32[1,32,4,4] = concat(%2, %3) {axis=1}\n"
      "%9: float32[1,32,4,4] = exp(%4)\n}";
  const auto sizes = [&](const std::string& text, int64_t alignment) {
    FusionOptions options;
    options.view_alignment = alignment;
    std::vector<size_t> result;
    const auto graph = GraphFromText(text);
    for (const auto& group : FusionGroups(*graph, options)) {
      result.push_back(group.size());
    }
    return absl::StrJoin(result, " ");
  };
  const std::string mixed =
      convs + "%3: float32[1,16,4,4] = relu(%x)\n" + after;
  EXPECT_EQ(sizes(mixed, 64), "1 1 1 1");
  EXPECT_EQ(sizes(mixed, 0), "1 3");
  const std::string elementwise =
      "graph g(%x: float32[1,16,4,4]) -> (%9) {\n"
      "%2: float32[1,16,4,4] = relu(%x)\n"
      "%3: float32[1,16,4,4] = tanh(%x)\n" +
      after;
  EXPECT_EQ(sizes(elementwise, 64), "4");
}

}  // namespace
}  // namespace assay::graph
