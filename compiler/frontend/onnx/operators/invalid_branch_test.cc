// If nodes with a branch that is invalid for the extents of the inputs.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/frontend/onnx/testing/small_model.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {
namespace {

using V = std::vector<float>;

// Node 2 is an If with the result `y`. Its condition, that the first element of
// x is positive, is known only when the model runs. Its branches give x + x and
// -x.
onnx::ModelProto BranchesAtRunTime() {
  onnx::ModelProto model = ModelOfX({2}, {"y"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddScalar<int64_t>(graph, "first", onnx::TensorProto::INT64, 0);
  AddScalar<float>(graph, "nothing", onnx::TensorProto::FLOAT, 0);
  AddNode(graph, "Gather", {"x", "first"}, {"x0"});
  AddNode(graph, "Greater", {"x0", "nothing"}, {"positive"});
  onnx::NodeProto& node = AddNode(graph, "If", {"positive"}, {"y"});
  onnx::GraphProto& yes = AddBody(node, "then_branch");
  AddNode(yes, "Add", {"x", "x"}, {"a"});
  yes.add_output()->set_name("a");
  onnx::GraphProto& no = AddBody(node, "else_branch");
  AddNode(no, "Neg", {"x"}, {"b"});
  no.add_output()->set_name("b");
  return model;
}

// Branch 0 (then_branch) or 1 (else_branch) of an If.
onnx::GraphProto& Branch(onnx::NodeProto& node, int i) {
  return *node.mutable_attribute(i)->mutable_g();
}

onnx::GraphProto& Branch(onnx::ModelProto& model, int i) {
  return Branch(*model.mutable_graph()->mutable_node(2), i);
}

// Appends a node to a body that is invalid, because its operand, the only
// result of the body, has fewer than `axis` axes.
void MakeInvalid(onnx::GraphProto& body, int64_t axis = 2) {
  SetInt(AddNode(body, "Flatten", {body.output(0).name()}, {"flat"}), "axis",
         axis);
  body.mutable_output(0)->set_name("flat");
}

// The warning of a branch that is invalid for the reason `error`.
std::string LeftOut(const std::string& node, const std::string& branch,
                    const std::string& error) {
  return absl::StrCat(
      node, ": `", branch, "` is invalid for the extents of the inputs (",
      error, "), so the other branch is always taken; runs in which the ",
      "condition selects `", branch,
      "` are not supported, and their outputs are not those of the file");
}

// Returns the warnings of the import, which must succeed.
std::vector<std::string> WarningsOf(const onnx::ModelProto& model) {
  std::vector<std::string> warnings;
  ImportOptions options;
  options.warn = [&](const std::string& warning) {
    warnings.push_back(warning);
  };
  EXPECT_EQ(ErrorOf(model, options), "");
  return warnings;
}

// Returns true if a node of the graph was made from the ONNX node `name`.
bool HasNode(const onnx::ModelProto& model, const std::string& name) {
  const auto imported = ImportOnnxModel(model);
  EXPECT_TRUE(imported.ok()) << imported.status();
  if (!imported.ok()) return false;
  const auto nodes = (*imported)->Nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](const graph::Node* node) {
    return node->name() == name;
  });
}

constexpr char kIf[] = "node 2 (If, result `y`)";
constexpr char kFlat[] =
    "node 1 (Flatten, result `flat`): attribute `axis` 2 is out of range for "
    "rank 1";

TEST(InvalidBranchTest, AnInvalidBranchIsLeftOut) {
  onnx::ModelProto model = BranchesAtRunTime();
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{2, 4}}));
  EXPECT_TRUE(WarningsOf(model).empty());

  MakeInvalid(Branch(model, 1));
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{2, 4}}));
  EXPECT_EQ(WarningsOf(model),
            (std::vector<std::string>{LeftOut(kIf, "else_branch", kFlat)}));
  EXPECT_TRUE(HasNode(model, "If_2/Add_0"));
  EXPECT_FALSE(HasNode(model, "If_2/Neg_0"));

  model = BranchesAtRunTime();
  MakeInvalid(Branch(model, 0));
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{-1, -2}}));
  EXPECT_EQ(WarningsOf(model),
            (std::vector<std::string>{LeftOut(kIf, "then_branch", kFlat)}));
  EXPECT_FALSE(HasNode(model, "If_2/Add_0"));
  EXPECT_TRUE(HasNode(model, "If_2/Neg_0"));
}

TEST(InvalidBranchTest, OneBranchMustBeValid) {
  onnx::ModelProto model = BranchesAtRunTime();
  MakeInvalid(Branch(model, 0));
  MakeInvalid(Branch(model, 1), 3);
  EXPECT_EQ(ErrorOf(model), absl::StrCat(kIf, ": ", kFlat));
}

// A branch that is not supported may be the one that a run takes.
TEST(InvalidBranchTest, BothBranchesMustBeSupported) {
  for (const int i : {0, 1}) {
    onnx::ModelProto model = BranchesAtRunTime();
    AddNode(Branch(model, i), "Bernoulli", {"x"}, {"random"});
    const std::string error =
        absl::StrCat(kIf,
                     ": node 1 (Bernoulli, result `random`): operator "
                     "`Bernoulli` does not exist in opset 13; opset 15 "
                     "introduced it");
    EXPECT_EQ(ErrorOf(model), error);
    MakeInvalid(Branch(model, 1 - i));
    EXPECT_EQ(ErrorOf(model), error);
  }
}

// Not even a branch that no run takes may have a damaged initializer.
TEST(InvalidBranchTest, InitializersOfBranchesMustBeReadable) {
  for (const int i : {0, 1}) {
    onnx::ModelProto model = BranchesAtRunTime();
    AddScalar<float>(Branch(model, i), "w", onnx::TensorProto::FLOAT, 0);
    Branch(model, i).mutable_initializer(0)->set_raw_data("abc");
    EXPECT_EQ(ErrorOf(model),
              absl::StrCat(kIf,
                           ": initializer `w`: has 3 bytes of data but its "
                           "extents need 4"));
  }
}

// The then_branch of the If is another If with the same condition.
onnx::ModelProto NestedBranches() {
  onnx::ModelProto model = BranchesAtRunTime();
  onnx::NodeProto inner = model.graph().node(2);
  inner.set_output(0, "z");
  onnx::GraphProto& body = Branch(model, 0);
  body.clear_node();
  *body.add_node() = inner;
  body.mutable_output(0)->set_name("z");
  return model;
}

onnx::GraphProto& InnerBranch(onnx::ModelProto& model, int i) {
  return Branch(*Branch(model, 0).mutable_node(0), i);
}

TEST(InvalidBranchTest, NestedBranchesAreLeftOut) {
  const std::string inner = "node 0 (If, result `z`)";
  onnx::ModelProto model = NestedBranches();
  MakeInvalid(InnerBranch(model, 1));
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{2, 4}}));
  EXPECT_EQ(WarningsOf(model),
            (std::vector<std::string>{LeftOut(absl::StrCat(kIf, ": ", inner),
                                              "else_branch", kFlat)}));
  EXPECT_TRUE(HasNode(model, "If_2/If_0/Add_0"));

  // The branch around it is left out, and its warning with it.
  MakeInvalid(Branch(model, 0));
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{-1, -2}}));
  EXPECT_EQ(WarningsOf(model),
            (std::vector<std::string>{LeftOut(kIf, "then_branch", kFlat)}));
  EXPECT_FALSE(HasNode(model, "If_2/If_0/Add_0"));
  EXPECT_FALSE(HasNode(model, "If_2/If_0/Neg_0"));

  // An If without a valid branch makes the branch around it invalid.
  model = NestedBranches();
  MakeInvalid(InnerBranch(model, 0));
  MakeInvalid(InnerBranch(model, 1));
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{-1, -2}}));
  EXPECT_EQ(WarningsOf(model),
            (std::vector<std::string>{LeftOut(
                kIf, "then_branch", absl::StrCat(inner, ": ", kFlat))}));

  // An If whose valid branch is not supported does not.
  model = NestedBranches();
  MakeInvalid(InnerBranch(model, 0));
  AddNode(InnerBranch(model, 1), "Bernoulli", {"x"}, {"random"});
  EXPECT_EQ(ErrorOf(model),
            absl::StrCat(kIf, ": ", inner,
                         ": node 1 (Bernoulli, result `random`): operator "
                         "`Bernoulli` does not exist in opset 13; opset 15 "
                         "introduced it"));
}

// All iterations of a loop leave the branch out.
TEST(InvalidBranchTest, WarningsAreNotRepeated) {
  onnx::ModelProto model = BranchesAtRunTime();
  MakeInvalid(Branch(model, 1));
  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::NodeProto branches = graph.node(2);
  graph.mutable_node()->RemoveLast();
  AddScalar<int64_t>(graph, "trips", onnx::TensorProto::INT64, 3);
  onnx::NodeProto& loop = AddNode(graph, "Loop", {"trips", "", "x"}, {"y"});
  onnx::GraphProto& body = AddBody(loop, "body");
  for (const char* name : {"trip", "go", "v"}) body.add_input()->set_name(name);
  AddNode(body, "Identity", {"go"}, {"go_on"});
  branches.set_output(0, "next");
  *body.add_node() = branches;
  for (const char* name : {"go_on", "next"}) {
    body.add_output()->set_name(name);
  }
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{2, 4}}));
  EXPECT_EQ(WarningsOf(model),
            (std::vector<std::string>{
                LeftOut("node 2 (Loop, result `y`): node 1 (If, result `next`)",
                        "else_branch", kFlat)}));
}

// The If and the nodes behind it compute the same extent, one more than the
// number of elements of x above 2. The branch that is left out comes first, so
// its nodes hold the extent, and they stay in the graph.
TEST(InvalidBranchTest, NodesOfAnInvalidBranchMayBeUsed) {
  onnx::ModelProto model = ModelOfX({6}, {"y", "z"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddScalar<float>(graph, "two", onnx::TensorProto::FLOAT, 2);
  AddScalar<int64_t>(graph, "zero", onnx::TensorProto::INT64, 0);
  AddScalar<int64_t>(graph, "one", onnx::TensorProto::INT64, 1);
  onnx::TensorProto& shape = *graph.add_initializer();
  shape.set_name("shape");
  shape.set_data_type(onnx::TensorProto::INT64);
  shape.add_dims(1);
  shape.add_int64_data(1);
  AddNode(graph, "Greater", {"x", "two"}, {"above"});
  AddNode(graph, "NonZero", {"above"}, {"found"});
  AddNode(graph, "Shape", {"found"}, {"extents"});
  AddNode(graph, "Gather", {"extents", "one"}, {"count"});
  AddNode(graph, "Reshape", {"zero", "shape"}, {"begin"});
  AddNode(graph, "Gather", {"x", "zero"}, {"x0"});
  AddNode(graph, "Less", {"x0", "two"}, {"c"});
  const auto add_slice = [](onnx::GraphProto& body, const std::string& result) {
    AddNode(body, "Add", {"count", "one"}, {"more"});
    AddNode(body, "Reshape", {"more", "shape"}, {"end"});
    AddNode(body, "Slice", {"x", "begin", "end"}, {result});
  };
  onnx::NodeProto& node = AddNode(graph, "If", {"c"}, {"z"});
  onnx::GraphProto& yes = AddBody(node, "then_branch");
  add_slice(yes, "part");
  yes.add_output()->set_name("part");
  MakeInvalid(yes);
  onnx::GraphProto& no = AddBody(node, "else_branch");
  AddNode(no, "Neg", {"x"}, {"b"});
  no.add_output()->set_name("b");
  add_slice(graph, "y");
  EXPECT_EQ(OutputsOf(model),
            (std::vector<V>{{1, 2, 3, 4, 5}, {-1, -2, -3, -4, -5, -6}}));
  EXPECT_TRUE(HasNode(model, "If_7/Add_0"));
  EXPECT_FALSE(HasNode(model, "If_7/Reshape_1"));
}

}  // namespace
}  // namespace assay::frontend
