// Inputs and outputs that are sequences or optional values.
#include <string>
#include <vector>

#include "compiler/frontend/onnx/import.h"
#include "compiler/frontend/onnx/testing/small_model.h"
#include "compiler/graph/printer.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {
namespace {

using graph::TensorType;

std::string TextOf(const onnx::ModelProto& model,
                   const ImportOptions& options) {
  const auto graph = ImportOnnxModel(model, options);
  if (!graph.ok()) return std::string(graph.status().message());
  return graph::ToString(**graph);
}

TensorType Floats(const Shape& shape) { return {DType::Float32(), shape}; }

// The type of float32 tensors, sequences of them, or optional values.
onnx::TypeProto FloatType() {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
  return type;
}

onnx::TypeProto SequenceOf(const onnx::TypeProto& element) {
  onnx::TypeProto type;
  *type.mutable_sequence_type()->mutable_elem_type() = element;
  return type;
}

onnx::TypeProto OptionalOf(const onnx::TypeProto& content) {
  onnx::TypeProto type;
  *type.mutable_optional_type()->mutable_elem_type() = content;
  return type;
}

// A model that applies `op` to the input `v`, which gives the output `w`.
onnx::ModelProto Model(const std::string& op, const onnx::TypeProto& input,
                       const onnx::TypeProto& output) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(18);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("g");
  onnx::ValueInfoProto& v = *graph.add_input();
  v.set_name("v");
  *v.mutable_type() = input;
  onnx::ValueInfoProto& w = *graph.add_output();
  w.set_name("w");
  *w.mutable_type() = output;
  AddNode(graph, op, {"v"}, {"w"});
  return model;
}

TEST(SignatureTest, SequencesBecomeTensors) {
  const onnx::TypeProto type = SequenceOf(FloatType());
  ImportOptions options;
  options.input_parts["v"].types = {Floats({2}), Floats({3, 1})};
  EXPECT_EQ(TextOf(Model("Identity", type, type), options),
            "graph g(%\"v[0]\": float32[2], %\"v[1]\": float32[3,1]) -> "
            "(\"w[0]\"=%\"v[0]\", \"w[1]\"=%\"v[1]\") {\n"
            "}\n");
}

TEST(SignatureTest, OptionalValuesBecomeTensors) {
  const onnx::TypeProto tensor = OptionalOf(FloatType());
  ImportOptions options;
  options.input_parts["v"].types = {Floats({2})};
  EXPECT_EQ(TextOf(Model("Identity", tensor, tensor), options),
            "graph g(%v: float32[2]) -> (w=%v) {\n"
            "}\n");
  EXPECT_EQ(TextOf(Model("OptionalGetElement", tensor, FloatType()), options),
            "graph g(%v: float32[2]) -> (w=%v) {\n"
            "}\n");
  const onnx::TypeProto sequence = OptionalOf(SequenceOf(FloatType()));
  EXPECT_EQ(TextOf(Model("Identity", sequence, sequence), options),
            "graph g(%\"v[0]\": float32[2]) -> (\"w[0]\"=%\"v[0]\") {\n"
            "}\n");
}

TEST(SignatureTest, AbsentAndEmptyInputs) {
  onnx::TypeProto truth;
  truth.mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
  onnx::TypeProto number;
  number.mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
  const onnx::TypeProto optional = OptionalOf(FloatType());
  const onnx::TypeProto sequence = SequenceOf(FloatType());
  using Outputs = std::vector<std::vector<float>>;
  ImportOptions absent;
  absent.input_parts["v"].present = false;
  EXPECT_EQ(OutputsOf(Model("OptionalHasElement", optional, truth), absent),
            (Outputs{{0}}));
  ImportOptions empty;
  empty.input_parts["v"] = {};
  EXPECT_EQ(OutputsOf(Model("SequenceLength", sequence, number), empty),
            (Outputs{{0}}));
  for (const onnx::TypeProto& type : {optional, sequence}) {
    EXPECT_EQ(ErrorOf(Model("Identity", type, type),
                      type.has_optional_type() ? absent : empty),
              "all outputs of the model are empty sequences or absent values");
  }
}

TEST(SignatureTest, InputPartsMustAgreeWithTheModel) {
  const onnx::TypeProto sequence = SequenceOf(FloatType());
  const onnx::TypeProto optional = OptionalOf(FloatType());
  const onnx::ModelProto model = Model("Identity", sequence, sequence);
  ImportOptions options;
  EXPECT_EQ(ErrorOf(model, options),
            "input `v`: is a sequence; the file does not say how many elements "
            "it has");
  EXPECT_EQ(ErrorOf(Model("Identity", optional, optional), options),
            "input `v`: is an optional value; the file does not say whether it "
            "is present");
  options.input_parts["v"].types = {Floats({2}), {DType::Int32(), {2}}};
  EXPECT_EQ(ErrorOf(model, options),
            "input `v`: `v[1]`: is declared as float32 but is int32[2]");
  options.input_parts["v"].types = {Floats({-1})};
  EXPECT_EQ(ErrorOf(model, options),
            "input `v`: `v[0]`: shape [-1] has a negative extent");
  options.input_parts["v"].present = false;
  EXPECT_EQ(ErrorOf(model, options),
            "input `v`: is a sequence but is given as absent");
  options.input_parts["v"] = {};
  EXPECT_EQ(ErrorOf(Model("Identity", optional, optional), options),
            "input `v`: is a tensor in an optional value but is given 0 types");
  options.input_parts.clear();
  options.input_parts["z"].types = {Floats({2})};
  EXPECT_EQ(ErrorOf(ModelOfX({2}, {"x"}), options),
            "the model has no input `z`, for which parts are given");
  options.input_parts.clear();
  options.input_parts["x"].types = {Floats({2})};
  EXPECT_EQ(ErrorOf(ModelOfX({2}, {"x"}), options),
            "parts are given for input `x`, which is no sequence and no "
            "optional value");
}

TEST(SignatureTest, InputPartsNeedMemory) {
  const onnx::TypeProto type = SequenceOf(FloatType());
  ImportOptions options;
  options.max_memory = 1000;
  options.input_parts["v"].types = {Floats({100}), Floats({200})};
  EXPECT_EQ(ErrorOf(Model("Identity", type, type), options),
            "input `v`: `v[1]`: float32[200] needs 800 bytes, more than the "
            "600 bytes that --max_memory leaves");
}

TEST(SignatureTest, OutputsMustHaveTheDeclaredKind) {
  const onnx::TypeProto sequence = SequenceOf(FloatType());
  onnx::TypeProto integers;
  integers.mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT32);
  ImportOptions options;
  options.input_parts["v"].types = {Floats({2})};
  EXPECT_EQ(ErrorOf(Model("Identity", sequence, FloatType()), options),
            "output `w`: is declared as a tensor but is a sequence");
  EXPECT_EQ(ErrorOf(Model("Identity", sequence, OptionalOf(sequence)), options),
            "output `w`: is declared as an optional value but is a sequence");
  EXPECT_EQ(ErrorOf(Model("Identity", sequence, SequenceOf(integers)), options),
            "output `w`, `w[0]`: is declared as int32 but is float32[2]");
  EXPECT_EQ(
      ErrorOf(Model("Optional", sequence, OptionalOf(FloatType())), options),
      "output `w`: is declared to contain a tensor but contains a "
      "sequence");
  onnx::ModelProto twice = Model("Identity", sequence, sequence);
  onnx::GraphProto& graph = *twice.mutable_graph();
  graph.add_output()->set_name("w[0]");
  AddNode(graph, "SequenceLength", {"v"}, {"w[0]"});
  EXPECT_EQ(ErrorOf(twice, options), "two graph outputs are named `w[0]`");
}

}  // namespace
}  // namespace assay::frontend
