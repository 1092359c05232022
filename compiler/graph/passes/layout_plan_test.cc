#include "compiler/graph/passes/layout_plan.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// Blocks of `preferred` cost nothing, blocks of `other` cost `price`.
LayoutCosts Costs(int64_t preferred, int64_t other, double price) {
  LayoutCosts costs;
  costs.conv = [=](const Conv2dAttrs&, const TensorType&, const TensorType&) {
    return std::vector<ConvCandidate>{
        {{preferred, preferred}, 0}, {{other, other}, price}, {{}, 2 * price}};
  };
  costs.transform = [](const TensorType& image) {
    return static_cast<double>(image.num_elements());
  };
  return costs;
}

// `2:4/4 3:4/4`: the blocks of each node that is not plain.
std::string Plan(absl::string_view text, const LayoutCosts& costs) {
  const auto graph = GraphFromText(text);
  const LayoutPlan plan = PlanLayouts(*graph, costs);
  std::string result;
  for (const Node* node : graph->Nodes()) {
    const auto it = plan.find(node);
    if (it == plan.end()) continue;
    absl::StrAppend(&result, result.empty() ? "" : " ", node->id(), ":",
                    it->second.in_block, "/", it->second.out_block);
  }
  return result;
}

std::string Conv(int id, absl::string_view data) {
  return absl::StrCat("%", id, ": float32[1,8,4,4] = conv2d(", data,
                      ", %1) {strides=[1,1], padding=[0,0,0,0], "
                      "dilations=[1,1], groups=1}\n");
}

std::string Net(absl::string_view nodes) {
  return absl::StrCat(
      "graph g(%x: float32[1,8,4,4]) -> (%9) {\n"
      "%1: float32[8,8,1,1] = constant {fill=1}\n",
      nodes, "}");
}

TEST(PlanLayoutsTest, OperatorsBetweenConvolutionsTakeTheirLayout) {
  // A residual block with a pooling behind it, and a join.
  const std::string net = Net(absl::StrCat(
      Conv(2, "%x"), "%3: float32[1,8,4,4] = relu(%2)\n", Conv(4, "%3"),
      "%5: float32[1,8,4,4] = add(%4, %2)\n"
      "%6: float32[1,8,4,4] = max_pool2d(%5) {kernel=[1,1], strides=[1,1], "
      "padding=[0,0,0,0]}\n"
      "%7: float32[1,16,4,4] = concat(%6, %4) {axis=1}\n"
      "%8: float32[1,8,4,4] = slice(%7) {begins=[0,8,0,0], steps=[1,1,1,1], "
      "sizes=[1,8,4,4]}\n",
      Conv(9, "%8")));
  EXPECT_EQ(Plan(net, Costs(4, 8, 1000)),
            "2:4/4 3:4/4 4:4/4 5:4/4 6:4/4 7:4/4 8:4/4 9:4/4");
}

TEST(PlanLayoutsTest, PrefersSlowerConvolutionToConversion) {
  // A transpose, which is always plain, between two convolutions.
  const std::string net = Net(absl::StrCat(
      Conv(2, "%x"), "%3: float32[1,8,4,4] = transpose(%2) {perm=[0,1,3,2]}\n",
      Conv(9, "%3")));
  EXPECT_EQ(Plan(net, Costs(2, 2, 10000)), "2:2/2 9:2/2");
  // Each convolution needs two conversions of 128 elements.
  EXPECT_EQ(Plan(net, Costs(2, 2, 100)), "");
}

TEST(PlanLayoutsTest, PrefersBlocksThatAllUsersShare) {
  // The two joined results prefer blocks of 2 and of 4.
  LayoutCosts costs = Costs(0, 0, 0);
  costs.conv = [](const Conv2dAttrs& attrs, const TensorType&,
                  const TensorType&) {
    const int64_t own = attrs.padding[0] == 0 ? 2 : 4;
    return std::vector<ConvCandidate>{{{8, own}, 0}, {{8, 8}, 1}};
  };
  const std::string net = Net(absl::StrCat(
      Conv(2, "%x"),
      "%3: float32[1,8,4,4] = conv2d(%x, %4) {strides=[1,1], "
      "padding=[1,1,1,1], dilations=[1,1], groups=1}\n"
      "%5: float32[1,16,4,4] = concat(%2, %3) {axis=1}\n"
      "%6: float32[1,8,4,4] = slice(%5) {begins=[0,8,0,0], steps=[1,1,1,1], "
      "sizes=[1,8,4,4]}\n",
      Conv(9, "%6")));
  const std::string with_weights =
      absl::StrCat(net.substr(0, net.find("%2:")),
                   "%4: float32[8,8,3,3] = constant {fill=1}\n",
                   net.substr(net.find("%2:")));
  EXPECT_EQ(Plan(with_weights, costs), "2:8/8 3:8/8 5:8/8 6:8/8 9:8/2");
}

TEST(PlanLayoutsTest, PlacesConversionsLate) {
  EXPECT_EQ(
      Plan(Net(absl::StrCat("%2: float32[1,8,4,4] = tanh(%x)\n", Conv(3, "%2"),
                            "%9: float32[1,8,4,4] = relu(%3)\n")),
           Costs(4, 8, 1000)),
      "3:4/4 9:4/4");
}

TEST(PlanLayoutsTest, PlansNothingWithoutConvolutions) {
  EXPECT_EQ(Plan(Net("%9: float32[1,8,4,4] = tanh(%x)\n"), Costs(4, 8, 1)), "");
}

}  // namespace
}  // namespace assay::graph
