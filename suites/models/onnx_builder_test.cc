#include "suites/models/onnx_builder.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

// Returns a line `Op(<number of inputs> <attribute>…)` per node.
std::string Summary(const onnx::ModelProto& model) {
  std::string text;
  for (const onnx::NodeProto& node : model.graph().node()) {
    absl::StrAppend(&text, node.op_type(), "(", node.input_size());
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      absl::StrAppend(&text, " ", attribute.name());
    }
    absl::StrAppend(&text, ")\n");
  }
  return text;
}

onnx::ModelProto EveryOperator(ExportStyle style) {
  OnnxBuilder b("net", style);
  std::string x = b.Input("data", {2, 4, 8, 8});
  const std::string w = b.Weight("w", NDArray(DType::Float32(), {4, 4, 3, 3}));
  const std::string c = b.Weight("c", NDArray(DType::Float32(), {4}));
  x = b.Conv("conv", x, w, c, {3, 1, 1});
  x = b.BatchNorm("bn", x, c, c, c, c, 1e-5f);
  x = b.MaxPool("pool", x, {3, 2, 1});
  x = b.Flatten("flat", b.GlobalAveragePool("gap", b.Relu("relu", x)));
  const std::string m = b.Weight("m", NDArray(DType::Float32(), {4, 4}));
  x = b.Add("add", b.Dense("fc", x, m, c), x);
  b.Output("y", x, {2, 4});
  return b.Build();
}

TEST(OnnxBuilderTest, Opset7) {
  ExportStyle style;
  style.opset = 7;
  style.flatten = FlattenStyle::kSqueeze;
  const onnx::ModelProto model = EveryOperator(style);
  EXPECT_EQ(Summary(model),
            "Conv(3 kernel_shape strides pads dilations group)\n"
            "BatchNormalization(5 epsilon momentum spatial)\n"
            "MaxPool(1 kernel_shape strides pads)\n"
            "Relu(1)\n"
            "GlobalAveragePool(1)\n"
            "Squeeze(1 axes)\n"
            "Gemm(3 alpha beta transB)\n"
            "Add(2)\n");
  EXPECT_EQ(model.ir_version(), 3);
  // The data and each of the three initializers.
  EXPECT_EQ(model.graph().input_size(), 4);
}

TEST(OnnxBuilderTest, Opset14) {
  ExportStyle style;
  style.opset = 14;
  style.flatten = FlattenStyle::kSqueeze;
  const onnx::ModelProto model = EveryOperator(style);
  EXPECT_EQ(Summary(model),
            "Conv(3 kernel_shape strides pads dilations group)\n"
            "BatchNormalization(5 epsilon momentum training_mode)\n"
            "MaxPool(1 kernel_shape strides pads storage_order ceil_mode "
            "dilations)\n"
            "Relu(1)\n"
            "GlobalAveragePool(1)\n"
            "Constant(0 value)\n"
            "Squeeze(2)\n"
            "Gemm(3 alpha beta transB)\n"
            "Add(2)\n");
  EXPECT_EQ(model.ir_version(), 7);
  EXPECT_EQ(model.graph().input_size(), 1);
}

TEST(OnnxBuilderTest, FlattenStyles) {
  ExportStyle style;
  style.flatten = FlattenStyle::kShapeArithmetic;
  EXPECT_NE(Summary(EveryOperator(style))
                .find("Shape(1)\nConstant(0 value)\nGather(2 axis)\n"
                      "Constant(0 value)\nUnsqueeze(2)\nConstant(0 value)\n"
                      "Concat(2 axis)\nReshape(2)\n"),
            std::string::npos);
  style.flatten = FlattenStyle::kReshape;
  EXPECT_NE(
      Summary(EveryOperator(style)).find("Constant(0 value)\nReshape(2)\n"),
      std::string::npos);
}

TEST(OnnxBuilderTest, PrefixAndSymbolicBatch) {
  ExportStyle style;
  style.prefix = "p/";
  style.symbolic_batch = "N";
  const onnx::ModelProto model = EveryOperator(style);
  for (const onnx::NodeProto& node : model.graph().node()) {
    EXPECT_EQ(node.name().substr(0, 2), "p/");
    for (const std::string& name : node.input()) {
      EXPECT_EQ(name.substr(0, 2), "p/");
    }
  }
  const auto& dims = model.graph().input(0).type().tensor_type().shape();
  EXPECT_EQ(dims.dim(0).dim_param(), "N");
  EXPECT_EQ(dims.dim(1).dim_value(), 4);
}

TEST(OnnxBuilderTest, OutputRenamesAllUsesOfTheValue) {
  OnnxBuilder b("net", ExportStyle());
  const std::string x = b.Relu("a", b.Input("data", {1}));
  b.Relu("b", x);
  b.Output("y", x, {1});
  const onnx::ModelProto model = b.Build();
  EXPECT_EQ(model.graph().node(0).output(0), "y");
  EXPECT_EQ(model.graph().node(1).input(0), "y");
}

TEST(OnnxBuilderTest, UsesAutoPadOnlyIfEquivalent) {
  ExportStyle style;
  style.auto_pad = true;
  OnnxBuilder b("net", style);
  const std::string x = b.Input("data", {1, 1, 8, 8});
  b.Conv("same", x, "w", "", {3, 1, 1});
  b.Conv("valid", x, "w", "", {1, 2, 0});
  b.Conv("explicit", x, "w", "", {7, 2, 3});
  const onnx::ModelProto model = b.Build();
  const auto attribute = [&](int node) {
    return model.graph().node(node).attribute(2);
  };
  EXPECT_EQ(attribute(0).s(), "SAME_LOWER");
  EXPECT_EQ(attribute(1).s(), "VALID");
  EXPECT_EQ(attribute(2).name(), "pads");
}

}  // namespace
}  // namespace assay::suites
