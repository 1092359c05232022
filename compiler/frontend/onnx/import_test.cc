// Properties of whole graphs: names, order, unknown extents, shape arithmetic.
// Operators are tested in operators/, errors in broken_file_test.cc, networks
// in equivalence_test.cc.
#include "compiler/frontend/onnx/import.h"

#include <string>

#include "absl/strings/match.h"
#include "compiler/graph/printer.h"
#include "gtest/gtest.h"
#include "suites/models/onnx_builder.h"

namespace assay::frontend {
namespace {

using suites::ExportStyle;
using suites::OnnxBuilder;

std::string TextOf(const onnx::ModelProto& model,
                   const ImportOptions& options = {}) {
  const auto graph = ImportOnnxModel(model, options);
  if (!graph.ok()) return std::string(graph.status().message());
  return graph::ToString(**graph);
}

onnx::ModelProto OpenModel() {
  ExportStyle style;
  style.symbolic_batch = "N";
  style.flatten = suites::FlattenStyle::kShapeArithmetic;
  OnnxBuilder b("net", style);
  const std::string x = b.Input("data", {1, 4, 1, 1});
  b.Output("y", b.Flatten("flat", x), {1, 4});
  return b.Build();
}

TEST(ImportTest, KeepsNamesAndOrderOfModel) {
  OnnxBuilder b("net", ExportStyle());
  const std::string second = b.Input("b", {2});
  const std::string first = b.Input("a", {2});
  const std::string sum = b.Add("sum", first, second);
  const std::string dead = b.Relu("dead", first);
  b.Weight("unused", NDArray(DType::Float32(), {2}));
  b.Output("z", b.Relu("rectify", sum), {2});
  b.Output("y", sum, {2});
  EXPECT_EQ(TextOf(b.Build()),
            "graph net(%b: float32[2], %a: float32[2]) -> (z=%5, y=%3) {\n"
            "  %3: float32[2] = add(%a, %b) \"sum\"\n"
            "  %4: float32[2] = relu(%a) \"dead\"\n"
            "  %5: float32[2] = relu(%3) \"rectify\"\n"
            "}\n");
}

TEST(ImportTest, EvaluatesShapeArithmetic) {
  ImportOptions options;
  options.dims["N"] = 3;
  EXPECT_EQ(TextOf(OpenModel(), options),
            "graph net(%data: float32[3,4,1,1]) -> (y=%12) {\n"
            "  %12: float32[3,4] = reshape(%data) {shape=[3,4]} \"flat\"\n"
            "}\n");
}

TEST(ImportTest, OpenExtents) {
  ImportOptions options;
  EXPECT_EQ(
      TextOf(OpenModel(), options),
      "input `data`: extent `N` has no value; give it one with --dim=N=1");
  options.dims["M"] = 1;
  options.dims["N"] = 1;
  EXPECT_EQ(TextOf(OpenModel(), options),
            "the model has no open extent `M`; it has N");
  // A mistyped symbol is named even if the right one is missing.
  options.dims.erase("N");
  EXPECT_EQ(TextOf(OpenModel(), options),
            "the model has no open extent `M`; it has N");
  options.dims = {{"N", -2}};
  EXPECT_EQ(TextOf(OpenModel(), options),
            "input `data`: extent `N` is given as -2, which is negative");
  OnnxBuilder closed("net", ExportStyle());
  closed.Output("y", closed.Relu("r", closed.Input("data", {1})), {1});
  options.dims = {{"N", 1}};
  EXPECT_EQ(TextOf(closed.Build(), options),
            "the model has no open extent `N`; all its extents are numbers");
}

// All extents without a value are named at once, in the order of the inputs.
TEST(ImportTest, SeveralOpenExtents) {
  OnnxBuilder b("net", ExportStyle());
  const std::string ids = b.Input("ids", {1, 4, 1});
  b.Output("y", b.Add("sum", ids, b.Input("mask", {1, 4, 1})), {1, 4, 1});
  onnx::ModelProto model = b.Build();
  for (onnx::ValueInfoProto& input : *model.mutable_graph()->mutable_input()) {
    auto& shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.mutable_dim(0)->set_dim_param("batch");
    shape.mutable_dim(1)->set_dim_param("length");
    shape.mutable_dim(2)->clear_dim_value();
  }
  ImportOptions options;
  EXPECT_EQ(TextOf(model, options),
            "the extents `batch` (input `ids`, axis 0), `length` (input `ids`, "
            "axis 1), `ids[2]` (input `ids`, axis 2) and `mask[2]` (input "
            "`mask`, axis 2) have no values; give each of them one with "
            "--dim=NAME=EXTENT, for example --dim=batch=1");
  options.dims = {{"batch", 1}, {"ids[2]", 1}};
  EXPECT_EQ(TextOf(model, options),
            "the extents `length` (input `ids`, axis 1) and `mask[2]` (input "
            "`mask`, axis 2) have no values; give each of them one with "
            "--dim=NAME=EXTENT, for example --dim=length=1");
  options.dims = {{"batch", 1}, {"ids[2]", 1}, {"mask[2]", 1}};
  EXPECT_EQ(TextOf(model, options),
            "input `ids`: extent `length` has no value; give it one with "
            "--dim=length=1");
  options.dims["length"] = 4;
  EXPECT_TRUE(ImportOnnxModel(model, options).ok());
  // An input that no extent makes valid is reported first.
  model.mutable_graph()
      ->mutable_input(1)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(onnx::TensorProto::STRING);
  EXPECT_EQ(TextOf(model),
            "input `mask`: element type `string` is not supported");
}

TEST(ImportTest, ExtentWithoutSymbol) {
  onnx::ModelProto model = OpenModel();
  model.mutable_graph()
      ->mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(0)
      ->clear_dim_param();
  ImportOptions options;
  options.dims["data[0]"] = 2;
  const auto graph = ImportOnnxModel(model, options);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ((*graph)->inputs()[0]->type().shape, (Shape{2, 4, 1, 1}));
}

// A symbol in an output must have the value it has in the inputs.
TEST(ImportTest, BoundInputsBecomeConstants) {
  OnnxBuilder b("net", ExportStyle());
  const std::string x = b.Input("x", {2});
  b.Output("y", b.Add("sum", x, b.Input("bias", {2})), {2});
  const onnx::ModelProto model = b.Build();
  ImportOptions options;
  options.bound_inputs["bias"] = NDArray::FromVector<float>({2}, {1, 2});
  EXPECT_EQ(TextOf(model, options),
            "graph net(%x: float32[2]) -> (y=%2) {\n"
            "  %1: float32[2] = constant {value=[1,2]} \"bias\"\n"
            "  %2: float32[2] = add(%x, %1) \"sum\"\n"
            "}\n");
  options.bound_inputs["bias"] = NDArray::FromVector<float>({1}, {1});
  EXPECT_EQ(TextOf(model, options),
            "input `bias`: is declared as float32[2] but is float32[1]");
  options.bound_inputs.clear();
  options.bound_inputs["z"] = NDArray();
  EXPECT_EQ(TextOf(model, options),
            "the model has no input `z`, for which a value is given");
}

// Returns what the import warns of, or its error.
std::string WarningOf(const onnx::ModelProto& model, ImportOptions options) {
  std::string text;
  options.warn = [&](const std::string& warning) { text += warning; };
  const auto graph = ImportOnnxModel(model, options);
  return graph.ok() ? text : std::string(graph.status().message());
}

TEST(ImportTest, WarnsOfWrongOutputShapes) {
  onnx::ModelProto model = OpenModel();
  auto* dims = model.mutable_graph()
                   ->mutable_output(0)
                   ->mutable_type()
                   ->mutable_tensor_type()
                   ->mutable_shape();
  dims->mutable_dim(1)->set_dim_param("N");
  ImportOptions options;
  options.dims["N"] = 3;
  EXPECT_EQ(WarningOf(model, options),
            "output `y`: is declared as float32[N,N] but is float32[3,4]");
  // A name from the file does not add lines to the message.
  dims->mutable_dim(0)->set_dim_param("a\nb");
  EXPECT_EQ(WarningOf(model, options),
            "output `y`: is declared as float32[a\\nb,N] but is float32[3,4]");
  dims->mutable_dim(0)->set_dim_param("N");
  dims->mutable_dim(1)->set_dim_param("other");
  EXPECT_EQ(WarningOf(model, options), "");
  dims->add_dim()->set_dim_value(1);
  EXPECT_EQ(WarningOf(model, options),
            "output `y`: is declared as float32[N,other,1] but is "
            "float32[3,4]");
  options.warn = nullptr;
  EXPECT_TRUE(ImportOnnxModel(model, options).ok());
}

TEST(ImportTest, ExtentsOfMinusOneAreOpen) {
  onnx::ModelProto model = OpenModel();
  auto* input = model.mutable_graph()->mutable_input(0);
  input->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(0)
      ->set_dim_value(-1);
  const std::string symbol = absl::StrCat(input->name(), "[0]");
  ImportOptions options;
  EXPECT_EQ(
      WarningOf(model, options),
      absl::StrCat("input `", input->name(), "`: extent `", symbol,
                   "` has no value; give it one with --dim=", symbol, "=1"));
  options.dims[symbol] = 3;
  const auto graph = ImportOnnxModel(model, options);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ((*graph)->inputs()[0]->type().shape[0], 3);
}

TEST(ImportTest, OutputMayBeAnInputOrConstant) {
  OnnxBuilder b("net", ExportStyle());
  const std::string x = b.Input("x", {2});
  const std::string w = b.Weight("w", NDArray::FromVector<float>({2}, {1, 2}));
  b.Output("x", x, {2});
  b.Output("w", w, {2});
  EXPECT_EQ(TextOf(b.Build()),
            "graph net(%x: float32[2]) -> (x=%x, w=%0) {\n"
            "  %0: float32[2] = constant {value=[1,2]} \"w\"\n"
            "}\n");
}

TEST(ImportTest, MetadataOfLaterVersionsIsIgnored) {
  OnnxBuilder b("net", ExportStyle());
  b.Output("y", b.Relu("r", b.Input("x", {2})), {2});
  onnx::ModelProto model = b.Build();
  const std::string before = TextOf(model);
  model.add_metadata_props()->set_key("author");
  model.mutable_graph()->set_doc_string("documentation");
  // metadata_props of a node and of the graph, empty.
  model.mutable_graph()->mutable_node(0)->mutable_unknown_fields()->append(
      "\x4a\x00", 2);
  model.mutable_graph()->mutable_unknown_fields()->append("\x82\x01\x00", 3);
  EXPECT_EQ(TextOf(model), before);
}

TEST(ImportTest, NamelessNodesGetNames) {
  OnnxBuilder b("net", ExportStyle());
  b.Output("y", b.Relu("r", b.Input("x", {2})), {2});
  onnx::ModelProto model = b.Build();
  model.mutable_graph()->mutable_node(0)->clear_name();
  const auto graph = ImportOnnxModel(model);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ((*graph)->outputs()[0].value.node->name(), "Relu_0");
}

TEST(ImportTest, ShapeOfAnInputWithoutOne) {
  OnnxBuilder b("g", ExportStyle());
  b.Output("y", b.Relu("r", b.Input("data", {2})), {2});
  onnx::ModelProto model = b.Build();
  for (auto* info : {model.mutable_graph()->mutable_input(0),
                     model.mutable_graph()->mutable_output(0)}) {
    info->mutable_type()->mutable_tensor_type()->clear_shape();
  }
  ImportOptions options;
  EXPECT_EQ(TextOf(model, options),
            "input `data`: has no shape in the model; give it one with "
            "--dim=data[0]=1 and so on for each axis, or with a file of "
            "--inputs");
  options.dims = {{"data[0]", 2}, {"data[1]", 3}};
  EXPECT_TRUE(
      absl::StrContains(TextOf(model, options), "graph g(%data: float32[2,3]"))
      << TextOf(model, options);
  options.dims = {{"data[]", 1}};
  EXPECT_TRUE(
      absl::StrContains(TextOf(model, options), "graph g(%data: float32[]"))
      << TextOf(model, options);
  options.dims = {{"data[1]", 3}};
  EXPECT_TRUE(absl::StrContains(TextOf(model, options), "has no shape"));
}

TEST(ImportTest, OpsetImportedTwice) {
  onnx::ModelProto model = OpenModel();
  ImportOptions options;
  options.dims["N"] = 1;
  const std::string once = TextOf(model, options);
  onnx::OperatorSetIdProto& second = *model.add_opset_import();
  second.set_domain("ai.onnx");
  second.set_version(model.opset_import(0).version());
  EXPECT_EQ(TextOf(model, options), once);
}

}  // namespace
}  // namespace assay::frontend
