// Operators whose operands have extents that are known only when the model
// runs, in small models that the reference interpreter evaluates.
#include <string>
#include <utility>
#include <vector>

#include "compiler/frontend/onnx/import.h"
#include "compiler/frontend/onnx/operators/bounded_axes.h"
#include "compiler/frontend/onnx/testing/small_model.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {
namespace {

using V = std::vector<float>;
using Outputs = std::vector<V>;
using Names = std::vector<std::string>;

void AddInts(onnx::GraphProto& graph, const std::string& name,
             const std::vector<int64_t>& values) {
  onnx::TensorProto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<int64_t>(values.size()));
  for (const int64_t value : values) tensor.add_int64_data(value);
}

// A model in which `y` has the elements 4, 5 and 6 of x = 1, …, 6, and `at` has
// their indices: those that are greater than 3. The number of elements, at most
// 6, is `n`. There are some constants.
class Model {
 public:
  explicit Model(const Names& outputs, int opset = 13)
      : model_(ModelOfX({6}, outputs, opset)) {
    AddScalar<float>(graph(), "three", onnx::TensorProto::FLOAT, 3);
    AddScalar<float>(graph(), "four", onnx::TensorProto::FLOAT, 4);
    AddScalar<int64_t>(graph(), "zero", onnx::TensorProto::INT64, 0);
    AddScalar<int64_t>(graph(), "one", onnx::TensorProto::INT64, 1);
    AddInts(graph(), "[0]", {0});
    AddInts(graph(), "[1]", {1});
    AddInts(graph(), "[2]", {2});
    AddInts(graph(), "[-1]", {-1});
    AddInts(graph(), "[9]", {9});
    Node("Greater", {"x", "three"}, {"mask"});
    Node("NonZero", {"mask"}, {"found"});
    Node("Squeeze", {"found", "[0]"}, {"at"});
    Node("Gather", {"x", "at"}, {"y"});
    Node("Shape", {"y"}, {"[n]"});
    Node("Squeeze", {"[n]", "[0]"}, {"n"});
    Node("Greater", {"y", "four"}, {"mask_y"});
    Node("Unsqueeze", {"y", "[1]"}, {"column"});
    Node("Unsqueeze", {"y", "[0]"}, {"row"});
  }

  onnx::GraphProto& graph() { return *model_.mutable_graph(); }
  const onnx::ModelProto& proto() const { return model_; }
  onnx::NodeProto& Node(const std::string& op, const Names& inputs,
                        const Names& outputs) {
    return AddNode(graph(), op, inputs, outputs);
  }

 private:
  onnx::ModelProto model_;
};

void SetString(onnx::NodeProto& node, const std::string& name,
               const std::string& value) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::STRING);
  attribute.set_s(value);
}

using Ints = std::vector<std::pair<std::string, int64_t>>;

// The results of one operator.
Outputs Results(const std::string& op, const Names& inputs,
                const Ints& attributes, const Names& outputs = {"z"},
                int opset = 13) {
  Model model(outputs, opset);
  onnx::NodeProto& node = model.Node(op, inputs, outputs);
  for (const auto& [name, value] : attributes) SetInt(node, name, value);
  return OutputsOf(model.proto());
}

TEST(BoundedOperatorsTest, Reductions) {
  EXPECT_EQ(Results("ReduceSum", {"y"}, {{"keepdims", 0}}), (Outputs{{15}}));
  EXPECT_EQ(Results("ReduceMean", {"y"}, {{"keepdims", 0}}), (Outputs{{5}}));
  EXPECT_EQ(Results("ReduceMax", {"y"}, {{"keepdims", 1}}), (Outputs{{6}}));
  EXPECT_EQ(Results("ReduceMin", {"y"}, {{"keepdims", 0}}), (Outputs{{4}}));
  EXPECT_EQ(Results("ReduceProd", {"y"}, {{"keepdims", 0}}), (Outputs{{120}}));
  EXPECT_EQ(Results("ReduceSumSquare", {"y"}, {}), (Outputs{{77}}));
  EXPECT_EQ(Results("ReduceMax", {"at"}, {}), (Outputs{{5}}));
  EXPECT_EQ(Results("ReduceMin", {"at"}, {}), (Outputs{{3}}));
  EXPECT_EQ(Results("ArgMax", {"y"}, {}), (Outputs{{2}}));
  EXPECT_EQ(Results("ArgMin", {"y"}, {}), (Outputs{{0}}));
  Model model({"z"});
  model.Node("Softmax", {"y"}, {"p"});
  model.Node("ReduceSum", {"p"}, {"sum"});
  model.Node("Round", {"sum"}, {"z"});
  EXPECT_EQ(OutputsOf(model.proto()), (Outputs{{1}}));
}

TEST(BoundedOperatorsTest, SortsAndSums) {
  EXPECT_EQ(Results("TopK", {"y", "[2]"}, {}, {"z", "i"}),
            (Outputs{{6, 5}, {2, 1}}));
  EXPECT_EQ(Results("TopK", {"y", "[n]"}, {}, {"z", "i"}),
            (Outputs{{6, 5, 4}, {2, 1, 0}}));
  EXPECT_EQ(Results("TopK", {"y", "[n]"}, {{"largest", 0}}, {"z", "i"}),
            (Outputs{{4, 5, 6}, {0, 1, 2}}));
  EXPECT_EQ(Results("CumSum", {"y", "zero"}, {}), (Outputs{{4, 9, 15}}));
  EXPECT_EQ(Results("CumSum", {"y", "zero"}, {{"reverse", 1}}),
            (Outputs{{15, 11, 6}}));
}

TEST(BoundedOperatorsTest, Products) {
  EXPECT_EQ(Results("MatMul", {"y", "y"}, {}), (Outputs{{77}}));
  EXPECT_EQ(Results("MatMul", {"row", "column"}, {}), (Outputs{{77}}));
  Model model({"z"});
  model.Node("MatMul", {"column", "row"}, {"outer"});  // two bounded axes
  model.Node("ReduceSum", {"outer", "[1]"}, {"z"});
  EXPECT_EQ(OutputsOf(model.proto()), (Outputs{{60, 75, 90}}));
}

TEST(BoundedOperatorsTest, Joins) {
  EXPECT_EQ(Results("Concat", {"x", "y"}, {{"axis", 0}}),
            (Outputs{{1, 2, 3, 4, 5, 6, 4, 5, 6}}));
  EXPECT_EQ(Results("Concat", {"y", "x", "y"}, {{"axis", 0}}),
            (Outputs{{4, 5, 6, 1, 2, 3, 4, 5, 6, 4, 5, 6}}));
  EXPECT_EQ(Results("Concat", {"column", "column"}, {{"axis", 1}}),
            (Outputs{{4, 4, 5, 5, 6, 6}}));
}

TEST(BoundedOperatorsTest, Slices) {
  EXPECT_EQ(Results("Slice", {"y", "[1]", "[9]"}, {}), (Outputs{{5, 6}}));
  EXPECT_EQ(Results("Slice", {"y", "[0]", "[2]"}, {}), (Outputs{{4, 5}}));
  EXPECT_EQ(Results("Slice", {"y", "[-1]", "[9]"}, {}), (Outputs{{6}}));
  EXPECT_EQ(Results("Slice", {"y", "[0]", "[-1]"}, {}), (Outputs{{4, 5}}));
  EXPECT_EQ(Results("Slice", {"y", "[9]", "[0]", "[0]", "[-1]"}, {}),
            (Outputs{{6, 5}}));
  EXPECT_EQ(Results("Slice", {"y", "[0]", "[9]", "[0]", "[2]"}, {}),
            (Outputs{{4, 6}}));
  // The extents of `x` are known, but those of the slice are not.
  EXPECT_EQ(Results("Slice", {"x", "[0]", "[n]"}, {}), (Outputs{{1, 2, 3}}));
  EXPECT_EQ(Results("Slice", {"x", "[n]", "[9]"}, {}), (Outputs{{4, 5, 6}}));
  EXPECT_EQ(Results("Split", {"y"}, {}, {"a", "b"}), (Outputs{{4, 5}, {6}}));
}

TEST(BoundedOperatorsTest, Indexes) {
  EXPECT_EQ(Results("Gather", {"y", "[-1]"}, {}), (Outputs{{6}}));
  EXPECT_EQ(Results("Gather", {"y", "one"}, {}), (Outputs{{5}}));
  EXPECT_EQ(Results("GatherElements", {"y", "[-1]"}, {}), (Outputs{{6}}));
  EXPECT_EQ(Results("NonZero", {"mask_y"}, {}), (Outputs{{1, 2}}));
  EXPECT_EQ(Results("Compress", {"y", "mask_y"}, {{"axis", 0}}),
            (Outputs{{5, 6}}));
}

TEST(BoundedOperatorsTest, Scatters) {
  Model model({"a", "b", "c"});
  model.Node("Neg", {"y"}, {"updates"});
  model.Node("ScatterElements", {"x", "at", "updates"}, {"a"});
  model.Node("Unsqueeze", {"at", "[1]"}, {"tuples"});
  model.Node("ScatterND", {"x", "tuples", "updates"}, {"b"});
  // Into data with an extent that is known only at run time: -1 is its end.
  AddInts(model.graph(), "[[-1]]", {-1});
  model.Node("Unsqueeze", {"[[-1]]", "[1]"}, {"last"});
  model.Node("Gather", {"x", "[0]"}, {"first"});
  model.Node("ScatterND", {"y", "last", "first"}, {"c"});
  EXPECT_EQ(OutputsOf(model.proto()),
            (Outputs{{1, 2, 3, -4, -5, -6}, {1, 2, 3, -4, -5, -6}, {4, 5, 1}}));
}

TEST(BoundedOperatorsTest, Extents) {
  EXPECT_EQ(Results("Shape", {"column"}, {}), (Outputs{{3, 1}}));
  EXPECT_EQ(Results("Size", {"column"}, {}), (Outputs{{3}}));
  EXPECT_EQ(Results("ConstantOfShape", {"[n]"}, {}), (Outputs{{0, 0, 0}}));
  EXPECT_EQ(Results("Range", {"zero", "n", "one"}, {}), (Outputs{{0, 1, 2}}));
  EXPECT_EQ(Results("Range", {"one", "n", "one"}, {}), (Outputs{{1, 2}}));
}

TEST(BoundedOperatorsTest, Repeats) {
  EXPECT_EQ(Results("Tile", {"y", "[2]"}, {}), (Outputs{{4, 5, 6, 4, 5, 6}}));
  EXPECT_EQ(Results("Tile", {"[2]", "[n]"}, {}), (Outputs{{2, 2, 2}}));
  EXPECT_EQ(Results("Expand", {"three", "[n]"}, {}), (Outputs{{3, 3, 3}}));
  EXPECT_EQ(Results("Expand", {"y", "[1]"}, {}), (Outputs{{4, 5, 6}}));
  for (const auto& [mode, expected] :
       std::vector<std::pair<std::string, V>>{{"constant", {0, 4, 5, 6, 0}},
                                              {"edge", {4, 4, 5, 6, 6}},
                                              {"reflect", {5, 4, 5, 6, 5}}}) {
    Model model({"z"});
    AddInts(model.graph(), "pads", {1, 1});
    SetString(model.Node("Pad", {"y", "pads"}, {"z"}), "mode", mode);
    EXPECT_EQ(OutputsOf(model.proto()), (Outputs{expected})) << mode;
  }
  // To 6 elements.
  Model model({"z"});
  model.Node("Shape", {"x"}, {"[6]"});
  model.Node("Sub", {"[6]", "[n]"}, {"missing"});
  SetInt(model.Node("Concat", {"[0]", "missing"}, {"pads"}), "axis", 0);
  model.Node("Pad", {"y", "pads"}, {"z"});
  EXPECT_EQ(OutputsOf(model.proto()), (Outputs{{4, 5, 6, 0, 0, 0}}));
}

TEST(BoundedOperatorsTest, Reshapes) {
  EXPECT_EQ(Results("Reshape", {"column", "[-1]"}, {}), (Outputs{{4, 5, 6}}));
  Model model({"a", "b", "c"});
  SetInt(model.Node("Concat", {"column", "column"}, {"pairs"}), "axis", 1);
  model.Node("Reshape", {"pairs", "[-1]"}, {"a"});  // [n,2] to [2*n]
  AddInts(model.graph(), "rows", {-1, 2});
  model.Node("Reshape", {"a", "rows"}, {"b"});
  // [2,n] to [2*n]: the elements move.
  model.Node("Transpose", {"pairs"}, {"turned"});
  model.Node("Reshape", {"turned", "[-1]"}, {"c"});
  EXPECT_EQ(
      OutputsOf(model.proto()),
      (Outputs{{4, 4, 5, 5, 6, 6}, {4, 4, 5, 5, 6, 6}, {4, 5, 6, 4, 5, 6}}));
}

// A mask selects from two tensors; the results have the same extent.
TEST(BoundedOperatorsTest, EqualExtents) {
  Model model({"z"});
  model.Node("NonZero", {"mask"}, {"again"});
  model.Node("Transpose", {"again"}, {"tuples"});
  model.Node("GatherND", {"x", "tuples"}, {"w"});
  model.Node("Add", {"y", "w"}, {"z"});
  EXPECT_EQ(OutputsOf(model.proto()), (Outputs{{8, 10, 12}}));
}

// The first two of the extent and a constant, as exporters limit the k of TopK.
TEST(BoundedOperatorsTest, LimitedK) {
  Model model({"a", "b"});
  SetInt(model.Node("Concat", {"[n]", "[2]"}, {"both"}), "axis", 0);
  SetInt(model.Node("ReduceMin", {"both"}, {"least"}), "keepdims", 0);
  model.Node("Reshape", {"least", "[-1]"}, {"k"});
  model.Node("TopK", {"y", "k"}, {"a", "i"});
  model.Node("Gather", {"x", "i"}, {"b"});
  EXPECT_EQ(OutputsOf(model.proto()), (Outputs{{6, 5}, {3, 2}}));
}

TEST(BoundedOperatorsTest, Errors) {
  const auto error = [](const std::string& op, const Names& inputs) {
    Model model({"z"});
    model.Node(op, inputs, {"z"});
    return ErrorOf(model.proto());
  };
  EXPECT_EQ(error("Add", {"y", "x"}),
            "node 9 (Add, result `z`): operand 1, float32[6], meets one whose "
            "extent is known only when the model runs");
  EXPECT_EQ(error("Hardmax", {"y"}),
            "node 9 (Hardmax, result `z`): the extent of axis 0 of operand 0, "
            "float32[6] at most, is known only when the model runs, and "
            "arg_max does not keep that axis apart");
  EXPECT_EQ(error("MatMul", {"x", "y"}),
            "node 9 (MatMul, result `z`): the operands have different extents "
            "that are known only when the model runs");
  EXPECT_EQ(error("MatMul", {"column", "row"}),
            "output `z` has 2 extents that are known only when the model runs; "
            "one is supported");
  EXPECT_EQ(error("EyeLike", {"column"}),
            "node 9 (EyeLike, result `z`): depends on an extent that is known "
            "only when the model runs");
}

TEST(BoundedOperatorsTest, OperatorsThatCombineBoundedAxes) {
  EXPECT_TRUE(CombinesBoundedAxes("ArgMax"));
  EXPECT_TRUE(CombinesBoundedAxes("Unsqueeze"));
  EXPECT_FALSE(CombinesBoundedAxes("Hardmax"));
  EXPECT_FALSE(CombinesBoundedAxes("Zz"));
}

}  // namespace
}  // namespace assay::frontend
