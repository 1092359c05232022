// Results of If, Loop, Scan and functions of the model.
#include <limits>
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

onnx::ModelProto Branches(bool condition) {
  onnx::ModelProto model = ModelOfX({2}, {"y"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddScalar<uint8_t>(graph, "c", onnx::TensorProto::BOOL, condition ? 1 : 0);
  onnx::NodeProto& node = AddNode(graph, "If", {"c"}, {"y"});
  onnx::GraphProto& yes = AddBody(node, "then_branch");
  AddNode(yes, "Add", {"x", "x"}, {"a"});  // of the graph around it
  yes.add_output()->set_name("a");
  onnx::GraphProto& no = AddBody(node, "else_branch");
  AddNode(no, "Neg", {"x"}, {"b"});
  no.add_output()->set_name("b");
  return model;
}

TEST(ControlFlowTest, ConstantConditionSelectsBranch) {
  EXPECT_EQ(OutputsOf(Branches(true)), (std::vector<V>{{2, 4}}));
  EXPECT_EQ(OutputsOf(Branches(false)), (std::vector<V>{{-1, -2}}));
}

// The condition is the first element of x > 0, so both branches are computed.
TEST(ControlFlowTest, ConditionAtRunTimeSelectsResults) {
  onnx::ModelProto model = Branches(true);
  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::NodeProto branches = graph.node(graph.node_size() - 1);
  graph.mutable_node()->RemoveLast();
  AddScalar<int64_t>(graph, "first", onnx::TensorProto::INT64, 0);
  AddNode(graph, "Gather", {"x", "first"}, {"x0"});
  AddNode(graph, "Sub", {"x0", "x0"}, {"zero"});
  AddNode(graph, "Greater", {"x0", "zero"}, {"positive"});
  branches.set_input(0, "positive");
  *graph.add_node() = branches;
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{2, 4}}));
  graph.mutable_node(graph.node_size() - 2)->set_op_type("Less");
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{-1, -2}}));
}

// Doubles x and collects all intermediate values.
onnx::ModelProto Doubling(int64_t trips) {
  onnx::ModelProto model = ModelOfX({2}, {"last", "all"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddScalar<int64_t>(graph, "trips", onnx::TensorProto::INT64, trips);
  onnx::NodeProto& node =
      AddNode(graph, "Loop", {"trips", "", "x"}, {"last", "all"});
  onnx::GraphProto& body = AddBody(node, "body");
  for (const char* name : {"trip", "go", "v"}) body.add_input()->set_name(name);
  AddNode(body, "Identity", {"go"}, {"go_on"});
  AddNode(body, "Add", {"v", "v"}, {"twice"});
  for (const char* name : {"go_on", "twice", "twice"}) {
    body.add_output()->set_name(name);
  }
  return model;
}

TEST(ControlFlowTest, LoopsAreUnrolled) {
  // Two outputs of a body must not have the same name.
  EXPECT_NE(ErrorOf(Doubling(3)), "");
  const auto with_copy = [](int64_t trips) {
    onnx::ModelProto model = Doubling(trips);
    onnx::GraphProto& body = *model.mutable_graph()
                                  ->mutable_node(0)
                                  ->mutable_attribute(0)
                                  ->mutable_g();
    AddNode(body, "Neg", {"twice"}, {"kept"});
    body.mutable_output(2)->set_name("kept");
    return model;
  };
  EXPECT_EQ(OutputsOf(with_copy(3)),
            (std::vector<V>{{8, 16}, {-2, -4, -4, -8, -8, -16}}));
  EXPECT_EQ(ErrorOf(with_copy(5000)),
            "node 0 (Loop, result `last`): has more than 4096 iterations, "
            "which are unrolled");
  EXPECT_EQ(
      ErrorOf(with_copy(0)),
      "node 0 (Loop, result `last`): the loop runs not once, so that its scan "
      "outputs are empty");
}

// Adds the elements of x = 1, 2, …, one in each iteration, and collects the
// sums. The condition is that the sum is less than `limit`; the trip count is
// `trips`.
onnx::ModelProto Sums(float limit, const std::string& trips) {
  onnx::ModelProto model = ModelOfX({6}, {"sum", "sums", "twice"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddScalar<int64_t>(graph, "five", onnx::TensorProto::INT64, 5);
  AddScalar<int64_t>(graph, "first", onnx::TensorProto::INT64, 0);
  AddScalar<int64_t>(graph, "most", onnx::TensorProto::INT64,
                     std::numeric_limits<int64_t>::max());
  AddScalar<float>(graph, "limit", onnx::TensorProto::FLOAT, limit);
  AddScalar<float>(graph, "nothing", onnx::TensorProto::FLOAT, 0);
  // The number of elements of x above 2, at most 6.
  AddScalar<float>(graph, "two", onnx::TensorProto::FLOAT, 2);
  AddNode(graph, "Greater", {"x", "two"}, {"above"});
  AddNode(graph, "NonZero", {"above"}, {"found"});
  AddNode(graph, "Shape", {"found"}, {"extents"});
  AddScalar<int64_t>(graph, "one", onnx::TensorProto::INT64, 1);
  AddNode(graph, "Gather", {"extents", "one"}, {"count"});
  onnx::NodeProto& node =
      AddNode(graph, "Loop", {trips, "", "nothing"}, {"sum", "sums"});
  onnx::GraphProto& body = AddBody(node, "body");
  for (const char* name : {"trip", "go", "v"}) body.add_input()->set_name(name);
  AddNode(body, "Gather", {"x", "trip"}, {"element"});
  AddNode(body, "Add", {"v", "element"}, {"next"});
  AddNode(body, "Less", {"next", "limit"}, {"go_on"});
  AddNode(body, "Identity", {"next"}, {"kept"});
  for (const char* name : {"go_on", "next", "kept"}) {
    body.add_output()->set_name(name);
  }
  AddNode(graph, "Add", {"sums", "sums"}, {"twice"});
  return model;
}

TEST(ControlFlowTest, LoopsEndAtRunTime) {
  EXPECT_EQ(OutputsOf(Sums(5, "five")),
            (std::vector<V>{{6}, {1, 3, 6}, {2, 6, 12}}));
  EXPECT_EQ(OutputsOf(Sums(0, "five")), (std::vector<V>{{1}, {1}, {2}}));
  // The trip count ends the loop.
  EXPECT_EQ(OutputsOf(Sums(100, "five")),
            (std::vector<V>{{15}, {1, 3, 6, 10, 15}, {2, 6, 12, 20, 30}}));
  EXPECT_EQ(OutputsOf(Sums(100, "count")),
            (std::vector<V>{{10}, {1, 3, 6, 10}, {2, 6, 12, 20}}));
  EXPECT_EQ(OutputsOf(Sums(5, "count")),
            (std::vector<V>{{6}, {1, 3, 6}, {2, 6, 12}}));
}

TEST(ControlFlowTest, LoopsNeedALimit) {
  for (const char* trips : {"", "most"}) {
    EXPECT_EQ(ErrorOf(Sums(5, trips)),
              "node 4 (Loop, result `sum`): the condition is computed when the "
              "model runs, and input 0 (the trip count) does not limit the "
              "number of iterations; give it a constant of 4096 at most");
  }
  onnx::ModelProto model = Sums(5, "trips");
  onnx::ValueInfoProto& trips = *model.mutable_graph()->add_input();
  DeclareFloats(trips, "trips", {});
  trips.mutable_type()->mutable_tensor_type()->set_elem_type(
      onnx::TensorProto::INT64);
  EXPECT_EQ(ErrorOf(model),
            "node 4 (Loop, result `sum`): input 0 (the trip count) is computed "
            "when the model runs and has no known upper limit; give the input "
            "of the model that it depends on as a constant");
  ImportOptions options;
  options.bound_inputs["trips"] = NDArray::FromVector<int64_t>({}, {2});
  EXPECT_EQ(OutputsOf(model, options), (std::vector<V>{{3}, {1, 3}, {2, 6}}));
}

// Each iteration appends an element.
TEST(ControlFlowTest, CarriedShapesMustNotChangeAtRunTime) {
  onnx::ModelProto model = Sums(5, "five");
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.mutable_output()->RemoveLast();
  graph.mutable_node()->RemoveLast();
  onnx::NodeProto& loop = *graph.mutable_node(graph.node_size() - 1);
  onnx::GraphProto& body = *loop.mutable_attribute(0)->mutable_g();
  body.add_input()->set_name("list");
  SetInt(AddNode(body, "Concat", {"list", "x"}, {"longer"}), "axis", 0);
  body.mutable_output(2)->set_name("longer");
  body.add_output()->set_name("kept");
  loop.add_input("x");
  loop.clear_output();
  for (const char* name : {"sum", "list", "sums"}) loop.add_output(name);
  EXPECT_EQ(ErrorOf(model),
            "node 4 (Loop, result `sum`): the carried value 1 is float32[12] "
            "before an iteration and float32[18] after it; it must keep its "
            "shape if the number of iterations is known only when the model "
            "runs");
}

// The branches have 2 and 6 elements.
TEST(ControlFlowTest, BranchesWithOtherExtents) {
  for (const float limit : {0.0f, 9.0f}) {
    onnx::ModelProto model = ModelOfX({6}, {"y", "n"});
    onnx::GraphProto& graph = *model.mutable_graph();
    AddScalar<float>(graph, "limit", onnx::TensorProto::FLOAT, limit);
    AddScalar<int64_t>(graph, "zero", onnx::TensorProto::INT64, 0);
    AddScalar<int64_t>(graph, "two", onnx::TensorProto::INT64, 2);
    AddNode(graph, "Gather", {"x", "zero"}, {"first"});
    AddNode(graph, "Less", {"first", "limit"}, {"c"});
    onnx::NodeProto& node = AddNode(graph, "If", {"c"}, {"y"});
    onnx::GraphProto& yes = AddBody(node, "then_branch");
    AddNode(yes, "Reshape", {"two", "one"}, {"end"});
    AddNode(yes, "Reshape", {"zero", "one"}, {"begin"});
    AddNode(yes, "Slice", {"x", "begin", "end"}, {"a"});
    yes.add_output()->set_name("a");
    onnx::GraphProto& no = AddBody(node, "else_branch");
    AddNode(no, "Neg", {"x"}, {"b"});
    no.add_output()->set_name("b");
    onnx::TensorProto& one = *graph.add_initializer();
    one.set_name("one");
    one.set_data_type(onnx::TensorProto::INT64);
    one.add_dims(1);
    one.add_int64_data(1);
    AddNode(graph, "Size", {"y"}, {"n"});
    EXPECT_EQ(OutputsOf(model),
              limit > 1 ? (std::vector<V>{{1, 2}, {2}})
                        : (std::vector<V>{{-1, -2, -3, -4, -5, -6}, {6}}));
  }
}

// Scans the elements of x above 2, from the front and from the end.
TEST(ControlFlowTest, ScansOfRunTimeExtents) {
  for (const int64_t reverse : {0, 1}) {
    onnx::ModelProto model = ModelOfX({6}, {"sum", "sums"});
    onnx::GraphProto& graph = *model.mutable_graph();
    AddScalar<float>(graph, "two", onnx::TensorProto::FLOAT, 2);
    AddScalar<float>(graph, "nothing", onnx::TensorProto::FLOAT, 0);
    AddNode(graph, "Greater", {"x", "two"}, {"above"});
    SetInt(AddNode(graph, "Compress", {"x", "above"}, {"y"}), "axis", 0);
    onnx::NodeProto& node =
        AddNode(graph, "Scan", {"nothing", "y"}, {"sum", "sums"});
    SetInt(node, "num_scan_inputs", 1);
    for (const char* name :
         {"scan_input_directions", "scan_output_directions"}) {
      onnx::AttributeProto& directions = *node.add_attribute();
      directions.set_name(name);
      directions.set_type(onnx::AttributeProto::INTS);
      directions.add_ints(reverse);
    }
    onnx::GraphProto& body = AddBody(node, "body");
    for (const char* name : {"so_far", "element"}) {
      body.add_input()->set_name(name);
    }
    AddNode(body, "Add", {"so_far", "element"}, {"next"});
    AddNode(body, "Neg", {"next"}, {"out"});
    for (const char* name : {"next", "out"}) body.add_output()->set_name(name);
    EXPECT_EQ(OutputsOf(model),
              reverse == 0 ? (std::vector<V>{{18}, {-3, -7, -12, -18}})
                           : (std::vector<V>{{18}, {-18, -15, -11, -6}}));
  }
}

TEST(ControlFlowTest, ScansAreUnrolled) {
  onnx::ModelProto model = ModelOfX({3, 2}, {"sum", "sums"});
  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::TensorProto& zero = *graph.add_initializer();
  zero.set_name("zero");
  zero.set_data_type(onnx::TensorProto::FLOAT);
  zero.add_dims(2);
  zero.add_float_data(0);
  zero.add_float_data(0);
  onnx::NodeProto& node =
      AddNode(graph, "Scan", {"zero", "x"}, {"sum", "sums"});
  SetInt(node, "num_scan_inputs", 1);
  onnx::GraphProto& body = AddBody(node, "body");
  for (const char* name : {"so_far", "row"}) body.add_input()->set_name(name);
  AddNode(body, "Add", {"so_far", "row"}, {"next"});
  AddNode(body, "Neg", {"next"}, {"out"});
  for (const char* name : {"next", "out"}) body.add_output()->set_name(name);
  EXPECT_EQ(OutputsOf(model),
            (std::vector<V>{{9, 12}, {-1, -2, -4, -6, -9, -12}}));
}

TEST(ControlFlowTest, FunctionsAreReplacedByTheirNodes) {
  onnx::ModelProto model = ModelOfX({2}, {"y"});
  onnx::FunctionProto& function = *model.add_functions();
  function.set_name("Scaled");
  function.set_domain("mine");
  function.add_input("a");
  function.add_input("b");
  function.add_output("r");
  function.add_attribute("slope");
  onnx::OperatorSetIdProto& opset = *function.add_opset_import();
  opset.set_version(13);
  onnx::NodeProto& leaky = *function.add_node();
  leaky.set_op_type("LeakyRelu");
  leaky.add_input("a");
  leaky.add_output("l");
  onnx::AttributeProto& alpha = *leaky.add_attribute();
  alpha.set_name("alpha");
  alpha.set_type(onnx::AttributeProto::FLOAT);
  alpha.set_ref_attr_name("slope");
  onnx::NodeProto& negate = *function.add_node();
  negate.set_op_type("Neg");
  negate.add_input("l");
  negate.add_output("r");
  onnx::GraphProto& graph = *model.mutable_graph();
  AddNode(graph, "Neg", {"x"}, {"n"});
  onnx::NodeProto& call = AddNode(graph, "Scaled", {"n"}, {"y"});
  call.set_domain("mine");
  onnx::AttributeProto& slope = *call.add_attribute();
  slope.set_name("slope");
  slope.set_type(onnx::AttributeProto::FLOAT);
  slope.set_f(0.5f);
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{0.5f, 1}}));

  // A function that calls itself.
  negate.set_op_type("Scaled");
  negate.set_domain("mine");
  EXPECT_NE(ErrorOf(model).find("nested more than 32 deep"), std::string::npos)
      << ErrorOf(model);
}

// Returns the bytes of a field with a length in an encoded message.
std::string EncodedField(int number, const std::string& content) {
  const int tag = number << 3 | 2;
  return std::string(
             {static_cast<char>(tag), static_cast<char>(content.size())}) +
         content;
}

// The schema does not have the fields that newer versions of the format add to
// functions.
TEST(ControlFlowTest, FunctionsHaveOverloadsAndDefaultAttributes) {
  onnx::ModelProto model = ModelOfX({2}, {"y"});
  for (const char* op : {"LeakyRelu", "Elu"}) {
    onnx::FunctionProto& function = *model.add_functions();
    function.set_name("F");
    function.set_domain("mine");
    function.add_input("a");
    function.add_output("r");
    onnx::AttributeProto slope;
    slope.set_name("slope");
    slope.set_type(onnx::AttributeProto::FLOAT);
    slope.set_f(0.25f);
    *function.mutable_unknown_fields() =
        EncodedField(11, slope.SerializeAsString()) + EncodedField(13, op);
    onnx::NodeProto& node = *function.add_node();
    node.set_op_type(op);
    node.add_input("a");
    node.add_output("r");
    onnx::AttributeProto& alpha = *node.add_attribute();
    alpha.set_name("alpha");
    alpha.set_type(onnx::AttributeProto::FLOAT);
    alpha.set_ref_attr_name("slope");
  }
  onnx::GraphProto& graph = *model.mutable_graph();
  AddNode(graph, "Neg", {"x"}, {"n"});
  onnx::NodeProto& call = AddNode(graph, "F", {"n"}, {"y"});
  call.set_domain("mine");
  *call.mutable_unknown_fields() = EncodedField(8, "LeakyRelu");
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{-0.25f, -0.5f}}));
  onnx::AttributeProto& slope = *call.add_attribute();
  slope.set_name("slope");
  slope.set_type(onnx::AttributeProto::FLOAT);
  slope.set_f(0.5f);
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{-0.5f, -1}}));
  *call.mutable_unknown_fields() = EncodedField(8, "Relu");
  EXPECT_EQ(ErrorOf(model),
            "node 1 (F, result `y`): operators of the domain `mine` are not "
            "supported");
  *model.mutable_functions(1)->mutable_unknown_fields() =
      model.functions(0).unknown_fields();
  EXPECT_EQ(ErrorOf(model), "function `F` is defined twice");
}

// The constants of a body are read once, however often it is unrolled.
TEST(ControlFlowTest, ConstantsOfABodyAreShared) {
  onnx::ModelProto model = ModelOfX({1}, {"last"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddScalar<int64_t>(graph, "trips", onnx::TensorProto::INT64, 3);
  onnx::NodeProto& node = AddNode(graph, "Loop", {"trips", "", "x"}, {"last"});
  onnx::GraphProto& body = AddBody(node, "body");
  for (const char* name : {"trip", "go", "v"}) body.add_input()->set_name(name);
  AddScalar<float>(body, "two", onnx::TensorProto::FLOAT, 2);
  AddNode(body, "Identity", {"go"}, {"go_on"});
  AddNode(body, "Mul", {"v", "two"}, {"next"});
  for (const char* name : {"go_on", "next"}) {
    body.add_output()->set_name(name);
  }
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{8}}));
  const auto imported = ImportOnnxModel(model);
  ASSERT_TRUE(imported.ok()) << imported.status();
  int constants = 0;
  for (const graph::Node* n : (*imported)->Nodes()) {
    if (n->kind() == graph::OpKind::kConstant) ++constants;
  }
  EXPECT_EQ(constants, 1);
}

TEST(ControlFlowTest, ALoopWithoutResults) {
  onnx::ModelProto model = ModelOfX({1}, {"y"});
  onnx::GraphProto& graph = *model.mutable_graph();
  AddScalar<int64_t>(graph, "trips", onnx::TensorProto::INT64, 3);
  onnx::NodeProto& node = AddNode(graph, "Loop", {"trips", ""}, {"y"});
  onnx::GraphProto& body = AddBody(node, "body");
  for (const char* name : {"trip", "go"}) body.add_input()->set_name(name);
  AddNode(body, "Identity", {"go"}, {"go_on"});
  body.add_output()->set_name("go_on");
  EXPECT_EQ(ErrorOf(model),
            "node 0 (Loop, result `y`): has results but its body gives none");
}

// A model of one call of a function without nodes, mine.F(a, b) -> r.
onnx::ModelProto Call(const std::vector<std::string>& inputs) {
  onnx::ModelProto model = ModelOfX({2}, {"y"});
  onnx::FunctionProto& function = *model.add_functions();
  function.set_name("F");
  function.set_domain("mine");
  function.add_input("a");
  function.add_input("b");
  function.add_output("r");
  AddNode(*model.mutable_graph(), "F", inputs, {"y"}).set_domain("mine");
  return model;
}

onnx::NodeProto& AddFunctionNode(onnx::FunctionProto& function,
                                 const std::string& op,
                                 const std::string& input,
                                 const std::string& output) {
  onnx::NodeProto& node = *function.add_node();
  node.set_op_type(op);
  node.add_input(input);
  node.add_output(output);
  return node;
}

TEST(ControlFlowTest, OtherDomainsAreFoundInBodiesAndFunctions) {
  onnx::ModelProto model = Call({"x"});
  AddFunctionNode(*model.mutable_functions(0), "Relu", "a", "r")
      .set_domain("com.microsoft");
  EXPECT_EQ(ErrorOf(model),
            "node 0 (F, result `y`): node 0 (Relu, result `r`): operator "
            "`Relu` of the domain `com.microsoft` is not supported");
  model = Branches(true);
  model.mutable_graph()
      ->mutable_node(0)
      ->mutable_attribute(0)
      ->mutable_g()
      ->mutable_node(0)
      ->set_domain("com.microsoft");
  EXPECT_EQ(ErrorOf(model),
            "node 0 (If, result `y`): node 0 (Add, result `a`): operator "
            "`Add` of the domain `com.microsoft` is not supported");
}

TEST(ControlFlowTest, UnknownFieldsAreFoundInFunctions) {
  const auto with_field = [](const std::string& field) {
    onnx::ModelProto model = Call({"x"});
    onnx::FunctionProto& function = *model.mutable_functions(0);
    AddFunctionNode(function, "Relu", "a", "r");
    function.mutable_unknown_fields()->append(field);
    return ErrorOf(model);
  };
  // No version of the format has field 15; metadata_props is ignored.
  const std::string unknown("\x7a\x00", 2);
  EXPECT_EQ(with_field(unknown),
            "a FunctionProto has field number 15, which format version 14 does "
            "not define");
  EXPECT_EQ(with_field(std::string("\x72\x00", 2)), "");
  onnx::ModelProto model = Call({"x"});
  AddFunctionNode(*model.mutable_functions(0), "Relu", "a", "r")
      .mutable_unknown_fields()
      ->append(unknown);
  EXPECT_EQ(ErrorOf(model),
            "a NodeProto has field number 15, which format version 14 does not "
            "define");
}

TEST(ControlFlowTest, SignaturesOfFunctions) {
  onnx::ModelProto model = Call({"x"});
  model.mutable_functions(0)->add_output("r");
  EXPECT_EQ(ErrorOf(model),
            "function `F` has an output without a name of its own");
  model = Call({"x"});
  model.mutable_functions(0)->set_input(1, "");
  EXPECT_EQ(ErrorOf(model),
            "function `F` has an input without a name of its own");
  model = Call({"x"});
  *model.add_functions() = model.functions(0);
  model.mutable_functions(0)->set_domain("");
  model.mutable_functions(1)->set_domain("ai.onnx");
  EXPECT_EQ(ErrorOf(model), "function `F` is defined twice");
}

TEST(ControlFlowTest, OmittedArgumentsAreOmittedInBodies) {
  onnx::ModelProto model = Call({"x"});
  onnx::FunctionProto& function = *model.mutable_functions(0);
  onnx::NodeProto& constant = *function.add_node();
  constant.set_op_type("Constant");
  constant.add_output("one");
  SetInt(constant, "value_int", 1);
  SetInt(AddFunctionNode(function, "Cast", "one", "c"), "to",
         onnx::TensorProto::BOOL);
  onnx::NodeProto& node = AddFunctionNode(function, "If", "c", "r");
  for (const char* name : {"then_branch", "else_branch"}) {
    onnx::GraphProto& body = AddBody(node, name);
    AddNode(body, "Clip", {"a", "b"}, {name});
    body.add_output()->set_name(name);
  }
  EXPECT_EQ(OutputsOf(model), (std::vector<V>{{1, 2}}));
}

// Each use of a graph attribute would be a copy of it.
TEST(ControlFlowTest, RejectsGraphAttributesOfCalls) {
  onnx::ModelProto model = Call({"x"});
  model.mutable_functions(0)->add_attribute("g");
  AddFunctionNode(*model.mutable_functions(0), "Relu", "a", "r");
  AddBody(*model.mutable_graph()->mutable_node(0), "g")
      .add_output()
      ->set_name("x");
  EXPECT_EQ(ErrorOf(model),
            "node 0 (F, result `y`): attribute `g` gives a graph to the "
            "function `F`, which is not supported");
}

// Two nested loops; the body of the inner one has no nodes.
TEST(ControlFlowTest, CountsEmptyBodies) {
  onnx::ModelProto model = ModelOfX({1}, {"y"});
  onnx::GraphProto* graph = model.mutable_graph();
  AddScalar<int64_t>(*graph, "trips", onnx::TensorProto::INT64, 4096);
  AddScalar<uint8_t>(*graph, "go", onnx::TensorProto::BOOL, 1);
  std::string from = "x", to = "y";
  for (int depth = 0; depth < 2; ++depth) {
    onnx::NodeProto& node =
        AddNode(*graph, "Loop", {"trips", "go", from}, {to});
    graph = &AddBody(node, "body");
    from = absl::StrCat("v", depth);
    to = absl::StrCat("w", depth);
    for (const auto& name :
         {absl::StrCat("t", depth), absl::StrCat("g", depth), from}) {
      graph->add_input()->set_name(name);
    }
    graph->add_output()->set_name("go");
    graph->add_output()->set_name(depth == 0 ? to : from);
  }
  EXPECT_NE(ErrorOf(model).find("are more than 262144"), std::string::npos)
      << ErrorOf(model);
}

}  // namespace
}  // namespace assay::frontend
