#include "compiler/graph/graph.h"

#include "compiler/graph/printer.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/verifier.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

const TensorType kVector{DType::Float32(), {4}};

Node* Relu(Graph* graph, Value x, absl::string_view name,
           Node* before = nullptr) {
  auto node = graph->AddNode(OpKind::kRelu, NoAttrs(), {x}, name, before);
  CHECK(node.ok()) << node.status();
  return *node;
}

TEST(GraphTest, InfersTypesAndKeepsUsesSymmetric) {
  Graph graph("g");
  Node* x = *graph.AddInput("x", kVector);
  Node* r = Relu(&graph, {x}, "r");
  auto sum = graph.AddNode(OpKind::kAdd, NoAttrs(), {{x}, {r}}, "sum");
  ASSERT_TRUE(sum.ok()) << sum.status();
  graph.AddOutput("y", {*sum});
  EXPECT_EQ((*sum)->type(), kVector);
  EXPECT_EQ(x->users().size(), 2u);
  EXPECT_EQ(r->users().size(), 1u);
  EXPECT_TRUE(graph.IsOutput(*sum));
  EXPECT_FALSE(graph.IsOutput(r));
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph);
}

TEST(GraphTest, ErrorsNameTheNode) {
  Graph graph("g");
  Node* x = *graph.AddInput("x", kVector);
  Node* y = *graph.AddInput("y", {DType::Float32(), {3}});
  EXPECT_TRUE(ErrorHas(
      graph.AddNode(OpKind::kAdd, NoAttrs(), {{x}, {y}}, "Add_7").status(),
      "node `Add_7` (add): shapes [4] and [3] do not broadcast"));
  EXPECT_TRUE(ErrorHas(graph.AddInput("x", kVector).status(),
                       "two graph inputs are named `x`"));
  EXPECT_TRUE(ErrorHas(graph.AddInput("z", {DType::Float32(), {-1}}).status(),
                       "graph input `z`: shape [-1] has a negative extent"));
  EXPECT_TRUE(ErrorHas(graph.AddInput("", kVector).status(), "no name"));
  EXPECT_EQ(graph.num_nodes(), 2);
}

TEST(GraphTest, ReplaceAllUsesMovesOperandsAndOutputs) {
  Graph graph("g");
  Node* x = *graph.AddInput("x", kVector);
  Node* a = Relu(&graph, {x}, "a");
  Node* b = Relu(&graph, {a}, "b");
  graph.AddOutput("y", {a});
  graph.ReplaceAllUses({a}, {x});
  EXPECT_EQ(b->input(0), Value{x});
  EXPECT_EQ(graph.outputs()[0].value, Value{x});
  EXPECT_TRUE(a->users().empty());
  graph.Erase(a);
  EXPECT_EQ(graph.num_nodes(), 2);
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph);
}

TEST(GraphTest, ReplaceInputChangesOneOperand) {
  Graph graph("g");
  Node* x = *graph.AddInput("x", kVector);
  Node* z = *graph.AddInput("z", kVector);
  Node* sum = *graph.AddNode(OpKind::kAdd, NoAttrs(), {{x}, {x}}, "sum");
  graph.AddOutput("", {sum});
  graph.ReplaceInput(sum, 1, {z});
  EXPECT_EQ(sum->input(0), Value{x});
  EXPECT_EQ(sum->input(1), Value{z});
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph);
}

TEST(GraphTest, ReplaceOutputChangesOneOutput) {
  Graph graph("g");
  Node* x = *graph.AddInput("x", kVector);
  Node* a = Relu(&graph, {x}, "a");
  graph.AddOutput("y", {a});
  graph.AddOutput("z", {a});
  graph.ReplaceOutput(1, {x});
  EXPECT_EQ(graph.outputs()[0].value, Value{a});
  EXPECT_EQ(graph.outputs()[1].value, Value{x});
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph);
}

TEST(GraphTest, NodesArePlacedBeforeAGivenNode) {
  Graph graph("g");
  Node* x = *graph.AddInput("x", kVector);
  Node* last = Relu(&graph, {x}, "last");
  Node* first = Relu(&graph, {x}, "first", last);
  EXPECT_EQ(graph.Nodes(), (std::vector<Node*>{x, first, last}));
}

TEST(GraphTest, SortRestoresOrderAndIsStable) {
  Graph graph("g");
  Node* x = *graph.AddInput("x", kVector);
  Node* a = Relu(&graph, {x}, "a");
  Node* b = Relu(&graph, {x}, "b");
  Node* c = Relu(&graph, {x}, "c");
  graph.AddOutput("", {b});
  graph.ReplaceInput(a, 0, {c});
  EXPECT_FALSE(Verify(graph).ok());
  ASSERT_TRUE(graph.SortTopologically().ok());
  EXPECT_EQ(graph.Nodes(), (std::vector<Node*>{x, c, a, b}));
  EXPECT_TRUE(Verify(graph).ok()) << Verify(graph);
  graph.ReplaceInput(c, 0, {a});
  EXPECT_TRUE(ErrorHas(graph.SortTopologically(), "depends on itself"));
}

TEST(GraphTest, SortsDeepGraphsWithoutRecursion) {
  Graph graph("g");
  Node* node = *graph.AddInput("x", kVector);
  for (int i = 0; i < 100000; ++i) node = Relu(&graph, {node}, "r");
  graph.AddOutput("", {node});
  EXPECT_TRUE(graph.SortTopologically().ok());
  EXPECT_TRUE(Verify(graph).ok());
  EXPECT_EQ(graph.Clone()->num_nodes(), 100001);
}

TEST(GraphTest, CloneHasTheSameTextAndItsOwnNodes) {
  Graph graph("g");
  Node* x = *graph.AddInput("x", kVector);
  Node* r = Relu(&graph, {x}, "r");
  graph.MergeSources(r, x);
  graph.AddOutput("y", {r});
  const std::unique_ptr<Graph> copy = graph.Clone();
  EXPECT_EQ(ToString(*copy), ToString(graph));
  Relu(copy.get(), {copy->inputs()[0]}, "extra");
  EXPECT_EQ(graph.num_nodes(), 2);
  EXPECT_TRUE(Verify(*copy).ok());
}

TEST(GraphTest, MergeSourcesKeepsEachNameOnce) {
  Graph graph("g");
  Node* x = *graph.AddInput("x", kVector);
  Node* a = Relu(&graph, {x}, "a");
  Node* b = Relu(&graph, {x}, "b");
  Node* unnamed = Relu(&graph, {x}, "");
  graph.MergeSources(unnamed, a);
  graph.MergeSources(unnamed, b);
  graph.MergeSources(unnamed, a);
  EXPECT_EQ(unnamed->name(), "a");
  EXPECT_EQ(unnamed->sources(), (std::vector<std::string>{"a", "b"}));
}

TEST(GraphTest, KernelHasTypesOfItsBody) {
  auto body = std::make_shared<Graph>("body");
  Node* p = *body->AddInput("p0", kVector);
  Node* r = Relu(body.get(), {p}, "");
  body->AddOutput("", {r});
  body->AddOutput("", {p});
  Graph graph("g");
  Node* x = *graph.AddInput("x", kVector);
  auto kernel = graph.AddNode(OpKind::kKernel, KernelAttrs{body}, {{x}}, "k");
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_EQ((*kernel)->num_outputs(), 2);
  EXPECT_TRUE(ErrorHas(
      graph.AddNode(OpKind::kKernel, KernelAttrs{body}, {}, "k").status(),
      "the kernel has 0 operands but `body` takes 1"));
  Node* y = *graph.AddInput("y", {DType::Float32(), {3}});
  EXPECT_TRUE(ErrorHas(
      graph.AddNode(OpKind::kKernel, KernelAttrs{body}, {{y}}, "k").status(),
      "operand 0 is float32[3] but `body` takes float32[4]"));
  EXPECT_TRUE(
      ErrorHas(graph.AddNode(OpKind::kKernel, KernelAttrs(), {}, "k").status(),
               "the kernel has no body"));
}

TEST(GraphDeathTest, ErasingNodeInUseCheckFails) {
  Graph graph("g");
  Node* x = *graph.AddInput("x", kVector);
  Node* r = Relu(&graph, {x}, "r");
  graph.AddOutput("", {r});
  EXPECT_DEATH(graph.Erase(x), "check failed");
  EXPECT_DEATH(graph.Erase(r), "check failed");
}

}  // namespace
}  // namespace assay::graph
