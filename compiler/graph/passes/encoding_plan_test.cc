#include "compiler/graph/passes/encoding_plan.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/fixed_encodings.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// Every convolution has the same choices. A conversion costs a second per
// element.
class Costs : public TargetCosts {
 public:
  explicit Costs(std::vector<EncodingChoice> choices)
      : choices_(std::move(choices)) {}

  std::vector<EncodingChoice> Choices(
      OpKind, const Attrs& attrs, absl::Span<const TensorType>) const override {
    std::vector<EncodingChoice> choices = choices_;
    // Convolutions with padding prefer larger blocks.
    if (std::get<Conv2dAttrs>(attrs).padding[0] > 0) {
      choices[0] = InBlocks(8, 4);
    }
    return choices;
  }
  double ConversionSeconds(const TensorType& image) const override {
    return static_cast<double>(image.num_elements());
  }

 private:
  const std::vector<EncodingChoice> choices_;
};

EncodingChoice For(EncodingChoice choice, double seconds) {
  choice.seconds = seconds;
  return choice;
}

// Blocks of `preferred` cost nothing, blocks of `other` cost `price`.
Costs Preferring(int64_t preferred, int64_t other, double price) {
  return Costs({InBlocks(preferred, preferred),
                For(InBlocks(other, other), price),
                {{Plain(), Plain()}, Plain(), 2 * price}});
}

int64_t BlockOf(const Encoding& encoding) {
  const auto* blocks = std::get_if<ChannelBlocks>(&encoding);
  return blocks == nullptr ? 0 : blocks->block;
}

// `2:4/4 3:4/4`: the blocks of each node that is not plain.
std::string Plan(absl::string_view text, const Costs& costs) {
  const auto graph = GraphFromText(text);
  const EncodingPlan plan = PlanEncodings(*graph, costs);
  std::string result;
  for (const Node* node : graph->Nodes()) {
    const auto it = plan.find(node);
    if (it == plan.end()) continue;
    absl::StrAppend(&result, result.empty() ? "" : " ", node->id(), ":",
                    BlockOf(it->second.operands[0]), "/",
                    BlockOf(it->second.result));
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

TEST(PlanEncodingsTest, OperatorsBetweenConvolutionsTakeTheirEncoding) {
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
  EXPECT_EQ(Plan(net, Preferring(4, 8, 1000)),
            "2:4/4 3:4/4 4:4/4 5:4/4 6:4/4 7:4/4 8:4/4 9:4/4");
}

TEST(PlanEncodingsTest, PrefersSlowerConvolutionToConversion) {
  // A transpose, which is always plain, between two convolutions.
  const std::string net = Net(absl::StrCat(
      Conv(2, "%x"), "%3: float32[1,8,4,4] = transpose(%2) {perm=[0,1,3,2]}\n",
      Conv(9, "%3")));
  EXPECT_EQ(Plan(net, Preferring(2, 2, 10000)), "2:2/2 9:2/2");
  // Each convolution needs two conversions of 128 elements.
  EXPECT_EQ(Plan(net, Preferring(2, 2, 100)), "");
}

TEST(PlanEncodingsTest, PrefersBlocksThatAllUsersShare) {
  // The two joined results prefer blocks of 2 and of 4.
  const Costs costs({InBlocks(8, 2), For(InBlocks(8, 8), 1)});
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

TEST(PlanEncodingsTest, PlacesConversionsLate) {
  EXPECT_EQ(
      Plan(Net(absl::StrCat("%2: float32[1,8,4,4] = tanh(%x)\n", Conv(3, "%2"),
                            "%9: float32[1,8,4,4] = relu(%3)\n")),
           Preferring(4, 8, 1000)),
      "3:4/4 9:4/4");
}

TEST(PlanEncodingsTest, PlansNothingWithoutConvolutions) {
  EXPECT_EQ(Plan(Net("%9: float32[1,8,4,4] = tanh(%x)\n"), Preferring(4, 8, 1)),
            "");
}

}  // namespace
}  // namespace assay::graph
