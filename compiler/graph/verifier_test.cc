#include "compiler/graph/verifier.h"

#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {

// Modifies graphs in ways that the methods of Graph do not allow.
class GraphTestPeer {
 public:
  static int& Id(Node* node) { return node->id_; }
  static OpKind& Kind(Node* node) { return node->kind_; }
  static Attrs& NodeAttrs(Node* node) { return node->attrs_; }
  static std::string& Name(Node* node) { return node->name_; }
  static std::vector<Value>& Inputs(Node* node) { return node->inputs_; }
  static std::vector<TensorType>& Types(Node* node) { return node->types_; }
  static std::vector<Use>& Users(Node* node) { return node->users_; }
  static std::vector<Node*>& Inputs(Graph* g) { return g->inputs_; }
  static std::vector<Output>& Outputs(Graph* g) { return g->outputs_; }
};

namespace {

using Peer = GraphTestPeer;

class VerifierTest : public testing::Test {
 protected:
  VerifierTest() {
    graph_ = GraphFromText(R"(
        graph g(%x: float32[2], %z: float32[2]) -> (y=%3) {
          %1: float32[2] = relu(%x) "r"
          %2: float32[2] = constant {value=[1,2]}
          %3: float32[2] = add(%1, %2) "s"
          %4: float32[2] = kernel(%x) {
            graph k(%p: float32[2]) -> (%1) { %1: float32[2] = relu(%p) }
          } "k"
        })");
    const std::vector<Node*> nodes = graph_->Nodes();
    x_ = nodes[0];
    z_ = nodes[1];
    relu_ = nodes[2];
    constant_ = nodes[3];
    add_ = nodes[4];
    kernel_ = nodes[5];
  }

  bool FailsWith(absl::string_view part) {
    return ErrorHas(Verify(*graph_), part);
  }

  std::unique_ptr<Graph> graph_;
  Node* x_;
  Node* z_;
  Node* relu_;
  Node* constant_;
  Node* add_;
  Node* kernel_;
};

TEST_F(VerifierTest, AcceptsValidGraph) {
  EXPECT_TRUE(Verify(*graph_).ok()) << Verify(*graph_);
}

TEST_F(VerifierTest, IdsAreUnique) {
  Peer::Id(add_) = relu_->id();
  EXPECT_TRUE(FailsWith("graph `g`: node `s` (add): id 1 is not unique"));
}

TEST_F(VerifierTest, AttributesMatchTheOperator) {
  Peer::NodeAttrs(relu_) = ConcatAttrs{0};
  EXPECT_TRUE(FailsWith("`r` (relu): the attributes are those of another"));
}

TEST_F(VerifierTest, OperandsAreInTheGraph) {
  const std::unique_ptr<Graph> other = graph_->Clone();
  Peer::Inputs(relu_)[0].node = other->inputs()[0];
  Peer::Users(x_).erase(Peer::Users(x_).begin());
  EXPECT_TRUE(FailsWith("`r` (relu): operand 0 is not in the graph"));
}

TEST_F(VerifierTest, OperandsComeEarlier) {
  graph_->ReplaceInput(relu_, 0, {add_});
  EXPECT_TRUE(
      FailsWith("`r` (relu): operand 0 (`s` (add)) comes later in the list"));
}

TEST_F(VerifierTest, OperandsExist) {
  Peer::Inputs(relu_)[0].index = 1;
  EXPECT_TRUE(FailsWith("operand 0 is result 1 of `x` (input), which does"));
}

TEST_F(VerifierTest, EveryOperandIsAUse) {
  Peer::Users(relu_).clear();
  EXPECT_TRUE(FailsWith("operand 0 is listed 0 times as a use of `r`"));
}

TEST_F(VerifierTest, EveryUseIsAnOperand) {
  Peer::Users(z_).push_back({add_, 0});
  EXPECT_TRUE(FailsWith("`z` (input): the user list holds a node that does"));
}

TEST_F(VerifierTest, TypesAreInferred) {
  Peer::Types(add_)[0].shape = {3};
  EXPECT_TRUE(FailsWith(
      "`s` (add): type is float32[3] but inference gives float32[2]"));
}

TEST_F(VerifierTest, InferenceSucceeds) {
  Peer::Types(relu_)[0].shape = {3};
  Peer::Types(constant_)[0].shape = {3};
  EXPECT_FALSE(Verify(*graph_).ok());
  Peer::Types(relu_)[0].shape = {2};
  EXPECT_TRUE(FailsWith(
      "(constant): type is float32[3] but inference gives float32[2]"));
}

TEST_F(VerifierTest, InputsHaveNoOperands) {
  Peer::Types(x_).push_back(x_->type());
  EXPECT_TRUE(FailsWith("an input has one result and no operand"));
}

TEST_F(VerifierTest, InputListHoldsInputs) {
  Peer::Inputs(graph_.get())[0] = relu_;
  EXPECT_TRUE(FailsWith("the input list holds a node that is not an input"));
}

TEST_F(VerifierTest, InputNamesAreUnique) {
  Peer::Name(z_) = "x";
  EXPECT_TRUE(FailsWith("graph input `x` (input) is listed twice"));
}

TEST_F(VerifierTest, InputListIsComplete) {
  Peer::Inputs(graph_.get()).pop_back();
  EXPECT_TRUE(FailsWith("node `z` (input): not in the input list"));
}

TEST_F(VerifierTest, GraphHasAnOutput) {
  Peer::Outputs(graph_.get()).clear();
  EXPECT_TRUE(FailsWith("the graph has no output"));
}

TEST_F(VerifierTest, OutputsAreResults) {
  Peer::Outputs(graph_.get())[0].value.index = 1;
  EXPECT_TRUE(FailsWith("graph output `y` is not a result of a node"));
}

TEST(BoundVerifierTest, ExtentsAreOneInteger) {
  const auto graph = GraphFromText(
      "graph g(%x: float32[3,4], %n: int64[]) -> (y=%x {axis=1, extent=%n}) "
      "{}");
  Peer::Outputs(graph.get())[0].axis = 2;
  EXPECT_TRUE(ErrorHas(Verify(*graph),
                       "graph output `y` is bounded along an "
                       "axis that it does not have"));
  Peer::Outputs(graph.get())[0].axis = 0;
  Peer::Outputs(graph.get())[1].value = graph->outputs()[0].value;
  EXPECT_TRUE(ErrorHas(Verify(*graph),
                       "graph output `y` has an extent of type float32[3,4]; "
                       "int64 of one element is needed"));
}

TEST_F(VerifierTest, KernelsHaveABody) {
  Peer::NodeAttrs(kernel_) = KernelAttrs();
  EXPECT_TRUE(FailsWith("node `k` (kernel): the kernel has no body"));
}

TEST_F(VerifierTest, BodiesAreVerified) {
  Graph* body = kernel_->attrs_as<KernelAttrs>().body.get();
  Peer::Types(body->outputs()[0].value.node)[0].shape = {3};
  EXPECT_TRUE(FailsWith("`k` (kernel): body: node `%1` (relu): type is"));
}

TEST_F(VerifierTest, KernelHasTypesOfItsBody) {
  Peer::Types(kernel_)[0].shape = {3};
  EXPECT_TRUE(FailsWith("`k` (kernel): the types are not those of the"));
}

TEST_F(VerifierTest, KernelsDoNotNest) {
  Graph* body = kernel_->attrs_as<KernelAttrs>().body.get();
  const auto inner = GraphFromText(
      "graph i(%p: float32[2]) -> (%1) { %1: float32[2] = relu(%p) }");
  ASSERT_TRUE(body->AddNode(OpKind::kKernel,
                            KernelAttrs{std::shared_ptr<Graph>(
                                inner->Clone().release())},
                            {{body->inputs()[0]}}, "in")
                  .ok());
  EXPECT_TRUE(FailsWith("node `in` (kernel): a kernel is inside a kernel"));
}

}  // namespace
}  // namespace assay::graph
