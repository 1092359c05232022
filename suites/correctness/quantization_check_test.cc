#include "suites/correctness/quantization_check.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_replace.h"
#include "compiler/graph/passes/pass.h"
#include "compiler/graph/quantization/fake_quantization_to_integer.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"
#include "suites/correctness/oracle.h"

namespace assay::suites {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;
using ::testing::HasSubstr;

// Two convolutions of bytes with biases, the second one without relu.
constexpr char kNetwork[] = R"(
    graph net(%x: float32[1,3,12,12]) -> (y=%24) {
      %1: float32[] = constant {value=[0.0078125]}
      %2: uint8[] = constant {value=[3]}
      %3: uint8[1,3,12,12] = quantize(%x, %1, %2) {axis=0, dtype=uint8} "input"
      %4: float32[1,3,12,12] = dequantize(%3, %1, %2) {axis=0, dtype=float32}
      %5: int8[2,3,2,2] = constant {value=[17,-9,4,111,-53,8,-1,23,60,-7,0,12,-77,31,5,9,-14,2,90,-3,-41,66,19,-28]}
      %6: float32[2] = constant {value=[0.011,0.007]}
      %7: int8[2] = constant {value=[0,0]}
      %8: float32[2,3,2,2] = dequantize(%5, %6, %7) {axis=0, dtype=float32}
      %9: float32[1,2,13,13] = conv2d(%4, %8) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1} "Conv_1"
      %10: float32[2,1,1] = constant {value=[0.31,-0.12]}
      %11: float32[1,2,13,13] = add(%9, %10)
      %12: float32[1,2,13,13] = relu(%11)
      %13: float32[] = constant {value=[0.013]}
      %14: uint8[] = constant {value=[5]}
      %15: uint8[1,2,13,13] = quantize(%12, %13, %14) {axis=0, dtype=uint8} "first"
      %16: float32[1,2,13,13] = dequantize(%15, %13, %14) {axis=0, dtype=float32}
      %17: int8[4,2,1,1] = constant {value=[100,-35,7,81,-120,64,3,-2]}
      %18: float32[] = constant {value=[0.009]}
      %19: int8[] = constant {value=[0]}
      %20: float32[4,2,1,1] = dequantize(%17, %18, %19) {axis=0, dtype=float32}
      %21: float32[1,4,13,13] = conv2d(%16, %20) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1} "Conv_2"
      %22: int8[] = constant {value=[-4]}
      %23: int8[1,4,13,13] = quantize(%21, %13, %22) {axis=0, dtype=int8} "second"
      %24: float32[1,4,13,13] = dequantize(%23, %13, %22) {axis=0, dtype=float32}
    })";

// The pass, followed by a mistake.
class WrongRewrite : public graph::Pass {
 public:
  using Mistake = std::function<void(Graph&, Node*)>;
  explicit WrongRewrite(Mistake mistake) : mistake_(std::move(mistake)) {}

  absl::string_view name() const override { return "wrong_rewrite"; }
  absl::StatusOr<bool> Run(Graph& graph) override {
    const auto changed = graph::FakeQuantizationToInteger().Run(graph);
    for (Node* node : graph.Nodes()) mistake_(graph, node);
    return changed;
  }

 private:
  const Mistake mistake_;
};

// Returns what the check finds if the pass makes this mistake in each node.
QuantizationCheck Check(const WrongRewrite::Mistake& mistake,
                        const std::string& network = kNetwork) {
  Model model;
  model.name = "net";
  model.digest = "digest";
  model.graph = graph::GraphFromText(network);
  WrongRewrite rewrite(mistake);
  auto integers = model.graph->Clone();
  EXPECT_TRUE(rewrite.Run(*integers).ok());
  model.integer_graph = std::move(integers);
  InterpreterOracle oracle("", "1");
  const runtime::NamedTensors inputs = SeededInputs(*model.graph, 1);
  const auto answer = oracle.Reference(model, inputs);
  EXPECT_TRUE(answer.ok()) << answer.status();
  const auto check = CheckQuantization(model, inputs, *answer, rewrite, oracle);
  EXPECT_TRUE(check.ok()) << check.status();
  return *check;
}

// Replaces the constant operand 1 of a node by `change` of its elements.
void ChangeConstant(Graph& graph, Node* node,
                    const std::function<void(NDArray&, int64_t)>& change) {
  const Node& old = *node->input(1).node;
  if (old.kind() != OpKind::kConstant) return;
  NDArray value = old.attrs_as<graph::ConstantAttrs>().value.Clone();
  for (int64_t i = 0; i < value.num_elements(); ++i) change(value, i);
  graph.ReplaceInput(node, 1, {graph.AddConstant(value, "", node)});
}

TEST(QuantizationCheckTest, AcceptsTheRewrite) {
  const QuantizationCheck check = Check([](Graph&, Node*) {});
  EXPECT_EQ(check.problem, "");
  EXPECT_EQ(check.tensors, 3);
  EXPECT_EQ(check.elements, 3 * 12 * 12 + 2 * 13 * 13 + 4 * 13 * 13);
  EXPECT_LE(check.moved, check.elements / 200);
}

// The check adds inputs to a copy of the graph.
TEST(QuantizationCheckTest, AcceptsAnyInputName) {
  const std::string network = absl::StrReplaceAll(
      kNetwork, {{"(%x:", "(%quantized.1:"}, {"(%x,", "(%quantized.1,"}});
  EXPECT_EQ(Check([](Graph&, Node*) {}, network).problem, "");
}

// Two percent are less than half a step for most elements.
TEST(QuantizationCheckTest, FindsWrongScale) {
  const QuantizationCheck check = Check([](Graph& graph, Node* node) {
    if (node->kind() != OpKind::kMultiply) return;
    ChangeConstant(graph, node, [](NDArray& x, int64_t i) {
      StoreFloat(x, i, 1.02 * LoadFloat(x, i));
    });
  });
  EXPECT_THAT(check.problem, HasSubstr("`first` (quantize) differ"));
}

TEST(QuantizationCheckTest, FindsPaddingWithAnotherNumberThanTheZeroPoint) {
  const QuantizationCheck check = Check([](Graph& graph, Node* node) {
    if (node->kind() != OpKind::kConv2d) return;
    auto attrs = node->attrs_as<graph::Conv2dAttrs>();
    if (attrs.pad_value == 0) return;
    attrs.pad_value = 0;
    const std::vector<graph::Value> operands(node->inputs().begin(),
                                             node->inputs().end());
    graph.ReplaceAllUses(
        {node}, {*graph.AddNode(node->kind(), attrs, operands, "", node)});
  });
  EXPECT_THAT(check.problem, HasSubstr("`first` (quantize) differ"));
}

// Half a step of the result.
TEST(QuantizationCheckTest, FindsWrongBias) {
  const QuantizationCheck check = Check([](Graph& graph, Node* node) {
    if (node->kind() != OpKind::kAdd || !node->type().dtype.is_int()) return;
    ChangeConstant(graph, node, [](NDArray& x, int64_t i) {
      StoreInt(x, i, LoadInt(x, i) + 70);
    });
  });
  EXPECT_THAT(check.problem, HasSubstr("`first` (quantize) differ"));
}

TEST(QuantizationCheckTest, FindsMissingRelu) {
  const QuantizationCheck check = Check([](Graph& graph, Node* node) {
    if (node->kind() == OpKind::kMaximum) {
      graph.ReplaceAllUses({node}, node->input(0));
    }
  });
  EXPECT_THAT(check.problem, HasSubstr("`first` (quantize) differ"));
}

// A step in every element is more than rounding explains.
TEST(QuantizationCheckTest, FindsWrongZeroPoint) {
  const QuantizationCheck check = Check([](Graph& graph, Node* node) {
    if (node->kind() != OpKind::kRequantize) return;
    NDArray zero(node->input(2).type().dtype, node->input(2).type().shape);
    StoreInt(zero, 0, -5);
    graph.ReplaceInput(node, 2, {graph.AddConstant(zero, "", node)});
  });
  EXPECT_THAT(check.problem, HasSubstr("`second` (quantize) differ"));
}

}  // namespace
}  // namespace assay::suites
