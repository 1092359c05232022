// Results and errors of operators on sequences and optional values. Inputs and
// outputs of the model are tested in signature_test.cc.
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/testing/small_model.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {
namespace {

using V = std::vector<float>;

// Adds int64 scalars whose names are their values.
void AddNumbers(onnx::GraphProto& graph, const std::vector<int64_t>& values) {
  for (const int64_t value : values) {
    AddScalar<int64_t>(graph, std::to_string(value), onnx::TensorProto::INT64,
                       value);
  }
}

TEST(SequenceTest, ElementsAreInsertedErasedAndRead) {
  onnx::ModelProto model = ModelOfX({2}, {"y", "n"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddNumbers(graph, {0, -1});
  AddNode(graph, "Neg", {"x"}, {"a"});
  AddNode(graph, "Add", {"x", "x"}, {"b"});
  AddNode(graph, "SequenceConstruct", {"x", "a"}, {"s"});
  AddNode(graph, "SequenceInsert", {"s", "b", "0"}, {"t"});   // b, x, a
  AddNode(graph, "SequenceInsert", {"t", "b", "-1"}, {"u"});  // b, x, b, a
  AddNode(graph, "SequenceErase", {"u"}, {"v"});              // b, x, b
  AddNode(graph, "SequenceErase", {"v", "0"}, {"w"});         // x, b
  AddNode(graph, "SequenceAt", {"w", "-1"}, {"y"});
  AddNode(graph, "SequenceLength", {"w"}, {"n"});
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{2, 4}, {2}}));
}

TEST(SequenceTest, InsertAppendsByDefault) {
  onnx::ModelProto model = ModelOfX({2}, {"s"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddNode(graph, "SequenceEmpty", {}, {"none"});
  AddNode(graph, "Neg", {"x"}, {"a"});
  AddNode(graph, "SequenceInsert", {"none", "x"}, {"one"});
  AddNode(graph, "SequenceInsert", {"one", "a"}, {"s"});
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{1, 2}, {-1, -2}}));
}

// Splits x along an axis. `split` is the name of operand 1; an empty string
// leaves it out.
onnx::ModelProto SplitModel(const Shape& x, const std::string& split,
                            int64_t axis, bool keepdims = true) {
  onnx::ModelProto model = ModelOfX(x, {"y"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddNumbers(graph, {2});
  onnx::TensorProto& list = *graph.add_initializer();
  list.set_name("list");
  list.set_data_type(onnx::TensorProto::INT32);
  list.add_dims(2);
  list.add_int32_data(1);
  list.add_int32_data(4);
  onnx::NodeProto& node =
      AddNode(graph, "SplitToSequence", {"x", split}, {"y"});
  SetInt(node, "axis", axis);
  SetInt(node, "keepdims", keepdims ? 1 : 0);
  return model;
}

TEST(SequenceTest, Split) {
  EXPECT_EQ(OutputsOf(SplitModel({5}, "2", 0)),
            (std::vector<V>{{1, 2}, {3, 4}, {5}}));
  EXPECT_EQ(OutputsOf(SplitModel({5}, "list", -1)),
            (std::vector<V>{{1}, {2, 3, 4, 5}}));
  EXPECT_EQ(OutputsOf(SplitModel({2, 2}, "", 1)),
            (std::vector<V>{{1, 3}, {2, 4}}));
  EXPECT_EQ(ErrorOf(SplitModel({4}, "list", 0)),
            "node 0 (SplitToSequence, result `y`): input 1 (split) is [1,4] "
            "for 4 elements");
  EXPECT_EQ(ErrorOf(SplitModel({5000}, "", 0)),
            "node 0 (SplitToSequence, result `y`): has more than 4096 elements "
            "in a sequence, which are unrolled");
}

// Only without operand 1, keepdims removes the axis.
TEST(SequenceTest, SplitWithoutKeepdims) {
  const auto first_shape = [](const std::string& split) {
    onnx::ModelProto model = SplitModel({2, 2}, split, 0, /*keepdims=*/false);
    onnx::GraphProto& graph = *model.mutable_graph();
    AddNumbers(graph, {0});
    AddNode(graph, "SequenceAt", {"y", "0"}, {"first"});
    AddNode(graph, "Shape", {"first"}, {"shape"});
    graph.mutable_output(0)->set_name("shape");
    return OutputsOf(model);
  };
  EXPECT_EQ(first_shape(""), (std::vector<V>{{2}}));
  EXPECT_EQ(first_shape("2"), (std::vector<V>{{2, 2}}));
}

TEST(SequenceTest, Concat) {
  const auto model = [](int64_t axis, int64_t new_axis) {
    onnx::ModelProto m = ModelOfX({2}, {"y"});
    onnx::GraphProto& graph = *m.mutable_graph();
    AddNode(graph, "Neg", {"x"}, {"a"});
    AddNode(graph, "SequenceConstruct", {"x", "a"}, {"s"});
    onnx::NodeProto& node = AddNode(graph, "ConcatFromSequence", {"s"}, {"y"});
    SetInt(node, "axis", axis);
    SetInt(node, "new_axis", new_axis);
    return m;
  };
  EXPECT_EQ(OutputsOf(model(0, 0)), (std::vector<V>{{1, 2, -1, -2}}));
  EXPECT_EQ(OutputsOf(model(0, 1)), (std::vector<V>{{1, 2, -1, -2}}));
  EXPECT_EQ(OutputsOf(model(-1, 1)), (std::vector<V>{{1, -1, 2, -2}}));
  EXPECT_EQ(ErrorOf(model(1, 0)),
            "node 2 (ConcatFromSequence, result `y`): attribute `axis` 1 is "
            "out of range for rank 1");
}

// Adds x, or an element of `operand`, to each element of a sequence of x and
// -x, and returns x for each element.
onnx::ModelProto MapModel(const std::string& operand) {
  onnx::ModelProto model = ModelOfX({2}, {"sums", "copies"}, /*opset=*/17);
  onnx::GraphProto& graph = *model.mutable_graph();
  AddNode(graph, "Neg", {"x"}, {"a"});
  AddNode(graph, "SequenceConstruct", {"x", "a"}, {"s"});
  AddNode(graph, "SequenceConstruct", {"x"}, {"one"});
  onnx::NodeProto& node =
      AddNode(graph, "SequenceMap", {"s", operand}, {"sums", "copies"});
  onnx::GraphProto& body = AddBody(node, "body");
  for (const char* name : {"e", "w"}) body.add_input()->set_name(name);
  AddNode(body, "Add", {"e", "w"}, {"sum"});
  AddNode(body, "Identity", {"x"}, {"copy"});  // of the graph around it
  for (const char* name : {"sum", "copy"}) body.add_output()->set_name(name);
  return model;
}

TEST(SequenceTest, Map) {
  EXPECT_EQ(OutputsOf(MapModel("x")),
            (std::vector<V>{{2, 4}, {0, 0}, {1, 2}, {1, 2}}));
  EXPECT_EQ(OutputsOf(MapModel("s")),
            (std::vector<V>{{2, 4}, {-2, -4}, {1, 2}, {1, 2}}));
  EXPECT_EQ(ErrorOf(MapModel("one")),
            "node 3 (SequenceMap, result `sums`): input 1 has 1 elements but "
            "input 0 has 2");
}

TEST(SequenceTest, MapOfNoElements) {
  onnx::ModelProto model = ModelOfX({2}, {"n"}, /*opset=*/17);
  onnx::GraphProto& graph = *model.mutable_graph();
  AddNode(graph, "SequenceEmpty", {}, {"s"});
  onnx::NodeProto& node = AddNode(graph, "SequenceMap", {"s"}, {"t"});
  onnx::GraphProto& body = AddBody(node, "body");
  body.add_input()->set_name("e");
  AddNode(body, "Neg", {"e"}, {"r"});
  body.add_output()->set_name("r");
  AddNode(graph, "SequenceLength", {"t"}, {"n"});
  EXPECT_EQ(ErrorOf(model),
            "node 1 (SequenceMap, result `t`): result 0 of the body: has no "
            "element type");
  onnx::AttributeProto& attribute =
      *graph.mutable_node(1)->mutable_attribute(0);
  DeclareFloats(*attribute.mutable_g()->mutable_output(0), "r", {2});
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{0}}));
}

TEST(SequenceTest, LoopsCarrySequences) {
  onnx::ModelProto model = ModelOfX({2}, {"y", "n"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddNumbers(graph, {3});
  AddNode(graph, "SequenceEmpty", {}, {"none"});
  onnx::NodeProto& loop = AddNode(graph, "Loop", {"3", "", "none"}, {"s"});
  onnx::GraphProto& body = AddBody(loop, "body");
  for (const char* name : {"trip", "go", "s_in"}) {
    body.add_input()->set_name(name);
  }
  AddNode(body, "Identity", {"go"}, {"go_on"});
  AddNode(body, "SequenceInsert", {"s_in", "x"}, {"s_out"});
  for (const char* name : {"go_on", "s_out"}) {
    body.add_output()->set_name(name);
  }
  SetInt(AddNode(graph, "ConcatFromSequence", {"s"}, {"y"}), "axis", 0);
  AddNode(graph, "SequenceLength", {"s"}, {"n"});
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{1, 2, 1, 2, 1, 2}, {3}}));

  // A sequence is no scan output, and no condition.
  graph.mutable_node(1)->add_output("scan");
  onnx::GraphProto& changed =
      *graph.mutable_node(1)->mutable_attribute(0)->mutable_g();
  AddNode(changed, "SequenceConstruct", {"x"}, {"more"});
  changed.add_output()->set_name("more");
  EXPECT_EQ(ErrorOf(model),
            "node 1 (Loop, result `s`): result 2 of the body is a sequence but "
            "a tensor is needed");
  graph.mutable_node(1)->set_input(1, "none");
  EXPECT_EQ(ErrorOf(model),
            "node 1 (Loop, result `s`): input 1 is a sequence but a tensor is "
            "needed");
}

TEST(SequenceTest, BranchesReturnSequences) {
  const auto model = [](bool condition) {
    onnx::ModelProto m = ModelOfX({2}, {"n"});
    onnx::GraphProto& graph = *m.mutable_graph();
    AddScalar<uint8_t>(graph, "c", onnx::TensorProto::BOOL, condition ? 1 : 0);
    onnx::NodeProto& node = AddNode(graph, "If", {"c"}, {"s"});
    onnx::GraphProto& yes = AddBody(node, "then_branch");
    AddNode(yes, "SequenceConstruct", {"x", "x"}, {"t"});
    yes.add_output()->set_name("t");
    onnx::GraphProto& no = AddBody(node, "else_branch");
    AddNode(no, "SequenceEmpty", {}, {"e"});
    no.add_output()->set_name("e");
    AddNode(graph, "SequenceLength", {"s"}, {"n"});
    return m;
  };
  EXPECT_EQ(OutputsOf(model(true)), (std::vector<V>{{2}}));
  EXPECT_EQ(OutputsOf(model(false)), (std::vector<V>{{0}}));
}

TEST(SequenceTest, FunctionsTakeSequences) {
  onnx::ModelProto model = ModelOfX({2}, {"n"});
  onnx::FunctionProto& function = *model.add_functions();
  function.set_name("F");
  function.set_domain("mine");
  function.add_input("s");
  function.add_output("r");
  onnx::NodeProto& length = *function.add_node();
  length.set_op_type("SequenceLength");
  length.add_input("s");
  length.add_output("r");
  onnx::GraphProto& graph = *model.mutable_graph();
  AddNode(graph, "SequenceConstruct", {"x", "x", "x"}, {"t"});
  AddNode(graph, "F", {"t"}, {"n"}).set_domain("mine");
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{3}}));
}

TEST(SequenceTest, IdentityOfSequences) {
  const auto model = [](int opset) {
    onnx::ModelProto m = ModelOfX({2}, {"t"}, opset);
    AddNode(*m.mutable_graph(), "SequenceConstruct", {"x", "x"}, {"s"});
    AddNode(*m.mutable_graph(), "Identity", {"s"}, {"t"});
    return m;
  };
  EXPECT_EQ(OutputsOf(model(14)), (std::vector<V>{{1, 2}, {1, 2}}));
  EXPECT_EQ(ErrorOf(model(13)),
            "node 1 (Identity, result `t`): input 0 is a sequence but a tensor "
            "is needed");
}

// The error of a node that reads the sequence `s` of x and -x, the empty
// sequence `none` and scalars.
std::string NodeError(const std::string& op,
                      const std::vector<std::string>& inputs) {
  onnx::ModelProto model = ModelOfX({2}, {"y"}, /*opset=*/18);
  onnx::GraphProto& graph = *model.mutable_graph();
  AddNumbers(graph, {0, 2, 3, -3});
  AddScalar<float>(graph, "half", onnx::TensorProto::FLOAT, 0.5f);
  AddNode(graph, "Neg", {"x"}, {"a"});
  AddNode(graph, "SequenceConstruct", {"x", "a"}, {"s"});
  AddNode(graph, "SequenceEmpty", {}, {"none"});
  AddNode(graph, "Optional", {"x"}, {"o"});
  AddNode(graph, op, inputs, {"y"});
  const std::string error = ErrorOf(model);
  const size_t label = error.find("): ");
  return label == std::string::npos ? error : error.substr(label + 3);
}

TEST(SequenceTest, Errors) {
  EXPECT_EQ(NodeError("SequenceAt", {"s", "2"}),
            "input 1 (position) is 2 but the sequence has 2 elements");
  EXPECT_EQ(NodeError("SequenceAt", {"s", "-3"}),
            "input 1 (position) is -3 but the sequence has 2 elements");
  EXPECT_EQ(NodeError("SequenceAt", {"none", "0"}),
            "input 0 is an empty sequence");
  EXPECT_EQ(NodeError("SequenceAt", {"s", "x"}),
            "input 1 (position) is computed when the model runs; only "
            "constants are supported");
  EXPECT_EQ(NodeError("SequenceAt", {"s", "half"}),
            "input 1 (position) is float32[] but one whole number or truth "
            "value is needed");
  EXPECT_EQ(NodeError("SequenceAt", {"x", "0"}),
            "input 0 is a tensor but a sequence is needed");
  EXPECT_EQ(NodeError("SequenceAt", {"s", "s"}),
            "input 1 is a sequence but a tensor is needed");
  EXPECT_EQ(NodeError("SequenceInsert", {"s", "x", "3"}),
            "input 2 (position) is 3 but the sequence has 2 elements");
  EXPECT_EQ(NodeError("SequenceInsert", {"s", "0"}),
            "input 1 is int64[] but the sequence is of float32");
  EXPECT_EQ(NodeError("SequenceErase", {"none"}),
            "input 0 is an empty sequence");
  EXPECT_EQ(NodeError("SequenceConstruct", {"x", "0"}),
            "input 1 is int64[] but input 0 is float32[2]; a sequence has one "
            "element type");
  EXPECT_EQ(NodeError("ConcatFromSequence", {"none"}),
            "input 0 is an empty sequence");
  EXPECT_EQ(NodeError("ConcatFromSequence", {"s"}),
            "attribute `axis` is missing");
  EXPECT_EQ(NodeError("SplitToSequence", {"x", "0"}),
            "input 1 (split) is 0 but 1 or more is needed");
  EXPECT_EQ(NodeError("SplitToSequence", {"x", "half"}),
            "input 1 (split) is float32[] but whole numbers of rank 0 or 1 are "
            "needed");
  EXPECT_EQ(NodeError("SplitToSequence", {"x", "x"}),
            "input 1 (split) is computed when the model runs; only constants "
            "are supported");
  EXPECT_EQ(NodeError("SequenceMap", {"s"}), "attribute `body` is missing");
}

TEST(SequenceTest, OtherOperatorsTakeOnlyTensors) {
  EXPECT_EQ(NodeError("Neg", {"s"}),
            "input 0 is a sequence but a tensor is needed");
  EXPECT_EQ(NodeError("Reshape", {"x", "s"}),
            "input 1 is a sequence but a tensor is needed");
  EXPECT_EQ(NodeError("Concat", {"x", "o"}),
            "input 1 is an optional value but a tensor is needed");
  EXPECT_EQ(NodeError("SequenceLength", {"o"}),
            "input 0 is an optional value but a sequence is needed");
}

// Adds the attribute `type`: a tensor, or a sequence of tensors.
void SetType(onnx::NodeProto& node, onnx::TensorProto::DataType element,
             bool is_sequence) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name("type");
  attribute.set_type(onnx::AttributeProto::TYPE_PROTO);
  onnx::TypeProto* type = attribute.mutable_tp();
  if (is_sequence) type = type->mutable_sequence_type()->mutable_elem_type();
  type->mutable_tensor_type()->set_elem_type(element);
}

TEST(OptionalTest, PresenceIsKnown) {
  onnx::ModelProto model =
      ModelOfX({2}, {"y", "has", "has_none", "has_tensor"}, /*opset=*/18);
  onnx::GraphProto& graph = *model.mutable_graph();
  SetType(AddNode(graph, "Optional", {"x"}, {"o"}), onnx::TensorProto::FLOAT,
          /*is_sequence=*/false);
  SetType(AddNode(graph, "Optional", {}, {"none"}), onnx::TensorProto::FLOAT,
          /*is_sequence=*/true);
  AddNode(graph, "OptionalGetElement", {"o"}, {"e"});
  AddNode(graph, "OptionalGetElement", {"e"}, {"y"});
  AddNode(graph, "OptionalHasElement", {"o"}, {"has"});
  AddNode(graph, "OptionalHasElement", {"none"}, {"has_none"});
  AddNode(graph, "OptionalHasElement", {"x"}, {"has_tensor"});
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{1, 2}, {1}, {0}, {1}}));
}

TEST(OptionalTest, ContainsSequences) {
  onnx::ModelProto model = ModelOfX({2}, {"n"}, /*opset=*/15);
  onnx::GraphProto& graph = *model.mutable_graph();
  AddNode(graph, "SequenceConstruct", {"x", "x"}, {"s"});
  AddNode(graph, "Optional", {"s"}, {"o"});
  AddNode(graph, "OptionalGetElement", {"o"}, {"t"});
  AddNode(graph, "SequenceLength", {"t"}, {"n"});
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{2}}));
}

TEST(OptionalTest, Errors) {
  EXPECT_EQ(NodeError("Optional", {}),
            "has neither an input nor the attribute `type`");
  EXPECT_EQ(NodeError("Optional", {"o"}),
            "input 0 is an optional value but a tensor is needed");
  const auto with_type = [](const std::vector<std::string>& inputs,
                            onnx::TensorProto::DataType element,
                            bool is_sequence) {
    onnx::ModelProto model = ModelOfX({2}, {"y"}, /*opset=*/15);
    onnx::GraphProto& graph = *model.mutable_graph();
    SetType(AddNode(graph, "Optional", inputs, {"o"}), element, is_sequence);
    AddNode(graph, "OptionalGetElement", {"o"}, {"y"});
    return ErrorOf(model);
  };
  EXPECT_EQ(with_type({"x"}, onnx::TensorProto::FLOAT, false), "");
  EXPECT_EQ(with_type({"x"}, onnx::TensorProto::FLOAT, true),
            "node 0 (Optional, result `o`): attribute `type` is not the type "
            "of input 0, which is a tensor");
  EXPECT_EQ(with_type({"x"}, onnx::TensorProto::INT64, false),
            "node 0 (Optional, result `o`): attribute `type` has elements of "
            "int64 but input 0 has elements of float32");
  EXPECT_EQ(with_type({}, onnx::TensorProto::FLOAT, false),
            "node 1 (OptionalGetElement, result `y`): input 0 contains no "
            "value");
}

}  // namespace
}  // namespace assay::frontend
