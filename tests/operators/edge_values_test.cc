// Operators at the edges of their definitions: NaN, infinities, limits of
// integers, empty axes, ties and padding. Every row is an ONNX node with the
// values of its operands and the results that the ONNX specification defines,
// or that compiler/docs/onnx.md defines where the specification is silent. The
// interpreter and the compiled code, with fusion and without, must compute
// them.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "compiler/frontend/onnx/testing/one_node.h"
#include "compiler/graph/quantization/fake_quantization_to_integer.h"
#include "compiler/graph/reference/evaluate.h"
#include "gtest/gtest.h"
#include "suites/models/onnx_builder.h"
#include "tests/operators/run_graph.h"
#include "tests/operators/tensor_text.h"

namespace assay {
namespace {

using frontend::OneNode;
using Texts = std::vector<std::string>;

std::string ResultText(const absl::StatusOr<std::vector<NDArray>>& results) {
  if (!results.ok()) return results.status().ToString();
  return absl::StrJoin(*results, "\n", [](std::string* out, const NDArray& x) {
    out->append(TensorText(x));
  });
}

// Adds the operands to `node` and compares its results. An operand is a tensor
// (tensor_text.h), which is an initializer if `const ` precedes it, or empty if
// it is left out.
void Expect(OneNode node, const Texts& operands, const Texts& expected) {
  SCOPED_TRACE(node.op_type());
  std::vector<NDArray> inputs;
  for (absl::string_view text : operands) {
    if (text.empty()) {
      node.LeaveOut();
      continue;
    }
    const bool is_constant = absl::ConsumePrefix(&text, "const ");
    const NDArray value = TensorFromText(text);
    if (is_constant) {
      node.Constant(value);
      continue;
    }
    const auto type = static_cast<onnx::TensorProto::DataType>(
        suites::ToTensorProto("", value).data_type());
    node.Data(value.shape(), type);
    inputs.push_back(value);
  }
  for (size_t i = 1; i < expected.size(); ++i) {
    node.Output("y" + std::to_string(i));
  }
  const auto graph = node.Import();
  ASSERT_TRUE(graph.ok()) << graph.status();
  // Rounds the expected numbers to their types.
  const std::string text =
      absl::StrJoin(expected, "\n", [](std::string* out, const auto& tensor) {
        out->append(TensorText(TensorFromText(tensor)));
      });
  // Decides which integers are computed.
  const std::unique_ptr<graph::Graph> integers = (*graph)->Clone();
  ASSERT_TRUE(graph::FakeQuantizationToInteger().Run(*integers).ok());
  EXPECT_EQ(ResultText(graph::Evaluate(*integers, inputs)), text)
      << "interpreter";
  EXPECT_EQ(ResultText(RunCompiled(**graph, inputs, /*fusion=*/true)), text)
      << "compiled with fusion";
  EXPECT_EQ(ResultText(RunCompiled(**graph, inputs, /*fusion=*/false)), text)
      << "compiled without fusion";
}

OneNode Cast(onnx::TensorProto::DataType to) {
  OneNode node("Cast", 13);
  node.Int("to", to);
  return node;
}

// Unsigned integers above 2^63, and integers that lie just beyond the middle of
// two floats.
TEST(EdgeValuesTest, CastsOfIntegers) {
  const std::string u64 =
      "uint64[5] 18446744073709551615 9223372036854775808 1 "
      "4611686293305294849 9007199254740993";
  Expect(Cast(onnx::TensorProto::FLOAT), {u64},
         {"float32[5] 0x1p64 0x1p63 1 0x1.000002p62 0x1p53"});
  Expect(Cast(onnx::TensorProto::DOUBLE), {u64},
         {"float64[5] 0x1p64 0x1p63 1 0x1.000001p62 0x1p53"});
  Expect(Cast(onnx::TensorProto::FLOAT16), {u64},
         {"float16[5] inf inf 1 inf inf"});
  Expect(Cast(onnx::TensorProto::FLOAT), {"int64[2] -4611686293305294849 -3"},
         {"float32[2] -0x1.000002p62 -3"});
  // 2^62 + 2^54 + 1
  Expect(Cast(onnx::TensorProto::BFLOAT16),
         {"int64[2] 4629700416936869889 -4629700416936869889"},
         {"bfloat16[2] 0x1.02p62 -0x1.02p62"});
  Expect(Cast(onnx::TensorProto::FLOAT16), {"int32[4] 65519 65520 2049 2051"},
         {"float16[4] 65504 inf 2048 2052"});
}

TEST(EdgeValuesTest, CastsOfFloats) {
  Expect(Cast(onnx::TensorProto::UINT64),
         {"float64[4] 0x1p63 1.8e19 0x1.8p63 1.5"},
         {"uint64[4] 9223372036854775808 18000000000000000000 "
          "13835058055282163712 1"});
  Expect(Cast(onnx::TensorProto::UINT64), {"float32[2] 0x1p63 0x1.8p63"},
         {"uint64[2] 9223372036854775808 13835058055282163712"});
  Expect(Cast(onnx::TensorProto::INT64), {"float64[2] -0x1p63 -1.5"},
         {"int64[2] -9223372036854775808 -1"});
  // Rounding to float32 first would give 1, 0x1.008p0 and inf.
  Expect(Cast(onnx::TensorProto::FLOAT16),
         {"float64[4] 0x1.0020000001p0 0x1.005fffffffp0 65519.9999999 nan"},
         {"float16[4] 0x1.004p0 0x1.004p0 65504 nan"});
}

TEST(EdgeValuesTest, MaximaAndMinimaPassNanOn) {
  const Texts pair = {"float32[5] nan 1 nan 2 inf",
                      "float32[5] 1 nan nan 3 nan"};
  Expect(OneNode("Max", 13), pair, {"float32[5] nan nan nan 3 nan"});
  Expect(OneNode("Min", 13), pair, {"float32[5] nan nan nan 2 nan"});
  const std::string rows = "float32[4,3] nan 1 2 nan 5 3 1 2 3 -4 2 nan";
  for (const char* op : {"ReduceMax", "ReduceMin"}) {
    OneNode node(op, 13);
    node.Ints("axes", {1}).Int("keepdims", 0);
    const bool max = std::string(op) == "ReduceMax";
    Expect(node, {rows},
           {max ? "float32[4] nan nan 3 nan" : "float32[4] nan nan 1 nan"});
    OneNode columns(op, 13);
    columns.Ints("axes", {0}).Int("keepdims", 0);
    Expect(columns, {rows},
           {max ? "float32[3] nan 5 nan" : "float32[3] nan 1 nan"});
  }
  Expect(OneNode("ScatterElements", 18).String("reduction", "max"),
         {"float32[3] 1 nan 3", "int64[3] 0 1 2", "float32[3] 5 2 nan"},
         {"float32[3] 5 nan nan"});
}

TEST(EdgeValuesTest, ReductionsOfNothing) {
  const auto reduced = [](const char* op, const std::string& type) {
    OneNode node(op, 18);
    node.Int("keepdims", 0);
    return std::pair<OneNode, Texts>{node,
                                     {type + "[2,0]", "const int64[1] 1"}};
  };
  const struct {
    const char *op, *type, *expected;
  } rows[] = {
      {"ReduceMax", "float32", "float32[2] -inf -inf"},
      {"ReduceMin", "float32", "float32[2] inf inf"},
      {"ReduceMax", "float16", "float16[2] -inf -inf"},
      {"ReduceMax", "int32", "int32[2] -2147483648 -2147483648"},
      {"ReduceMin", "uint8", "uint8[2] 255 255"},
      {"ReduceSum", "float32", "float32[2] 0 0"},
      {"ReduceProd", "float32", "float32[2] 1 1"},
      {"ReduceMean", "float32", "float32[2] nan nan"},
      {"ReduceLogSum", "float32", "float32[2] -inf -inf"},
      {"ReduceLogSumExp", "float32", "float32[2] -inf -inf"},
      {"ReduceL2", "float32", "float32[2] 0 0"},
  };
  for (const auto& row : rows) {
    const auto [node, operands] = reduced(row.op, row.type);
    Expect(node, operands, {row.expected});
  }
}

TEST(EdgeValuesTest, ReductionsOfTruthValues) {
  for (const bool max : {true, false}) {
    OneNode node(max ? "ReduceMax" : "ReduceMin", 20);
    node.Int("keepdims", 0);
    Expect(node, {"bool[3,2] 1 0 0 0 1 1", "const int64[1] 1"},
           {max ? "bool[3] 1 0 1" : "bool[3] 0 0 1"});
  }
}

TEST(EdgeValuesTest, SumsOfExponentialsOfInfinities) {
  Expect(OneNode("ReduceLogSumExp", 13).Ints("axes", {1}).Int("keepdims", 0),
         {"float32[5,2] inf 1 -inf -inf inf -inf nan 1 -inf 3"},
         {"float32[5] inf -inf inf nan 3"});
  Expect(OneNode("Softmax", 13), {"float32[4,2] -inf -inf inf 0 nan 0 -inf 5"},
         {"float32[4,2] nan nan nan nan nan nan 0 1"});
  Expect(OneNode("LogSoftmax", 13),
         {"float32[3,2] -inf -inf -inf 5 16777216 16777216"},
         {"float32[3,2] nan nan -inf 0 -0.693147182 -0.693147182"});
}

TEST(EdgeValuesTest, PowersOfInfinityAndZero) {
  const std::string x = "float32[6] -inf inf 4 -0 -1 nan";
  Expect(OneNode("Pow", 13), {x, "const float32[] 0.5"},
         {"float32[6] inf inf 2 0 nan nan"});
  Expect(OneNode("Pow", 13), {x, "const float32[] -1"},
         {"float32[6] -0 0 0.25 -inf -1 nan"});
  Expect(OneNode("Pow", 13), {x, "float32[] 0.5"},
         {"float32[6] inf inf 2 0 nan nan"});
}

TEST(EdgeValuesTest, RemaindersOfLargeNumbers) {
  Expect(OneNode("Mod", 13).Int("fmod", 1),
         {"float32[7] 1e30 -1e30 3e38 16777216 7 5 1",
          "float32[7] 7 7 3e-38 3 -3 inf 0"},
         {"float32[7] 1 -1 0x1.75p-134 1 1 5 nan"});
  Expect(OneNode("Mod", 13).Int("fmod", 1),
         {"float16[3] 60000 -60000 7", "float16[3] 0.1 7 -3"},
         {"float16[3] 0.052002 -3 1"});
}

// The third operand is not read, as in BLAS.
TEST(EdgeValuesTest, GemmWithoutItsAddend) {
  Expect(OneNode("Gemm", 13).Float("beta", 0),
         {"float32[1,2] 1 2", "float32[2,2] 1 2 3 4", "float32[2] nan inf"},
         {"float32[1,2] 7 10"});
}

// 255 * 255 * 40,000 does not fit in int32: the product is computed in float.
TEST(EdgeValuesTest, QuantizedSumsBeyondInt32) {
  std::string row = "uint8[1,40000]", column = "const uint8[40000,1]";
  for (int i = 0; i < 40000; ++i) {
    row += " 255";
    column += " 255";
  }
  const Texts operands = {row,
                          "const float32[] 1",
                          "const uint8[] 0",
                          column,
                          "const float32[] 1",
                          "const uint8[] 0",
                          "const float32[] 20000000",
                          "const uint8[] 0"};
  Expect(OneNode("QLinearMatMul", 10), operands, {"uint8[1,1] 130"});
  // MatMulInteger is defined to wrap around.
  Expect(OneNode("MatMulInteger", 10), {row, column},
         {"int32[1,1] -1693967296"});
}

TEST(EdgeValuesTest, QuantizationSaturates) {
  const std::string x = "float32[5] nan inf -inf 1e38 0.75";
  Expect(OneNode("QuantizeLinear", 13),
         {x, "const float32[] 0.5", "const int8[] 3"},
         {"int8[5] -128 127 -128 127 5"});
  Expect(OneNode("QuantizeLinear", 13), {x, "float32[] 0.5"},
         {"uint8[5] 0 255 0 255 2"});
}

// Only an empty range has the scale 1; the 255th part of the smallest range is
// 0.
TEST(EdgeValuesTest, DynamicQuantizationOfTinyRanges) {
  const OneNode node("DynamicQuantizeLinear", 11);
  Expect(node, {"float32[3] 0 0 0"},
         {"uint8[3] 0 0 0", "float32[] 1", "uint8[] 0"});
  Expect(node, {"float32[2] 0 0x1p-149"},
         {"uint8[2] 0 255", "float32[] 0", "uint8[] 255"});
  // 255 * 2^-130
  Expect(node, {"float32[2] 0 0x1.fep-123"},
         {"uint8[2] 0 255", "float32[] 0x1p-130", "uint8[] 0"});
  Expect(node, {"float32[2] -0x1.fep-123 0"},
         {"uint8[2] 0 255", "float32[] 0x1p-130", "uint8[] 255"});
  Expect(node, {"float32[2] 5 5"},
         {"uint8[2] 255 255", "float32[] 0x1.414142p-6", "uint8[] 0"});
}

// Padding is never the maximum, although it is as small as the elements.
TEST(EdgeValuesTest, PositionsOfTheLowestMaxima) {
  const auto pool = [] {
    OneNode node("MaxPool", 12);
    node.Ints("kernel_shape", {3}).Ints("pads", {1, 1});
    return node;
  };
  Expect(pool(), {"float32[1,1,4] -inf -inf -inf -inf"},
         {"float32[1,1,4] -inf -inf -inf -inf", "int64[1,1,4] 0 0 1 2"});
  Expect(pool(), {"uint8[1,1,4] 0 0 0 1"},
         {"uint8[1,1,4] 0 0 1 1", "int64[1,1,4] 0 0 3 3"});
  Expect(OneNode("MaxPool", 12)
             .Ints("kernel_shape", {2, 2})
             .Ints("pads", {1, 1, 1, 1})
             .Int("storage_order", 1),
         {"float32[1,1,1,2] -inf -inf"},
         {"float32[1,1,2,3] -inf -inf -inf -inf -inf -inf",
          "int64[1,1,2,3] 0 0 1 0 0 1"});
}

TEST(EdgeValuesTest, NearestElementsAtTies) {
  const auto resize = [](const char* nearest, const char* coordinates) {
    OneNode node("Resize", 13);
    node.String("coordinate_transformation_mode", coordinates)
        .String("nearest_mode", nearest);
    return node;
  };
  // Element 4 lies at 4 * 7 / 8 = 3.5, but 4 / float32(8 / 7) is less.
  const Texts to_eight = {"float32[7] 0 1 2 3 4 5 6", "", "",
                          "const int64[1] 8"};
  Expect(resize("round_prefer_ceil", "asymmetric"), to_eight,
         {"float32[8] 0 1 2 3 4 4 5 6"});
  Expect(resize("round_prefer_floor", "asymmetric"), to_eight,
         {"float32[8] 0 1 2 3 3 4 5 6"});
  // Element 4 lies at 4.5 * 20 / 6 - 0.5 = 14.5.
  std::string twenty = "float32[20]";
  for (int i = 0; i < 20; ++i) twenty += " " + std::to_string(i);
  Expect(resize("round_prefer_ceil", "half_pixel"),
         {twenty, "", "", "const int64[1] 6"}, {"float32[6] 1 5 8 11 15 18"});
}

// A kernel smaller than the stride leaves gaps. SAME extends the result to the
// extent of the data times the stride, with the zeros at both ends; an odd one
// is at the beginning for SAME_UPPER.
TEST(EdgeValuesTest, TransposedConvolutionWithGaps) {
  const auto conv = [](const char* pad, int64_t stride) {
    OneNode node("ConvTranspose", 11);
    node.String("auto_pad", pad).Ints("strides", {stride});
    return node;
  };
  const Texts one_tap = {"float32[1,1,2] 1 2", "float32[1,1,1] 10"};
  Expect(conv("SAME_UPPER", 2), one_tap, {"float32[1,1,4] 0 10 0 20"});
  Expect(conv("SAME_LOWER", 2), one_tap, {"float32[1,1,4] 10 0 20 0"});
  Expect(conv("SAME_UPPER", 3), one_tap, {"float32[1,1,6] 0 10 0 0 20 0"});
  Expect(OneNode("ConvTranspose", 11)
             .Ints("strides", {3})
             .Ints("output_shape", {6}),
         one_tap, {"float32[1,1,6] 10 0 0 20 0 0"});
}

// One region per row: partly outside, of no size, at the last pixel.
TEST(EdgeValuesTest, RegionsAtTheEdge) {
  const auto align = [](const char* mode, const char* coordinates) {
    OneNode node("RoiAlign", 16);
    node.String("mode", mode)
        .String("coordinate_transformation_mode", coordinates)
        .Float("spatial_scale", 0.8f)
        .Int("output_width", 2);
    return node;
  };
  const Texts operands = {"float32[1,1,2,4] 1 2 3 4 5 6 7 8",
                          "float32[3,4] 0 0 5 2.5 4 2 4 2 5 2.5 6.25 3.75",
                          "int64[3] 0 0 0"};
  Expect(align("avg", "half_pixel"), operands,
         {"float32[3,1,1,2] 3.5 5.5 0 0 8 0"});
  Expect(align("max", "half_pixel"), operands,
         {"float32[3,1,1,2] 6 8 0 0 8 0"});
}

// Opset 16 added the coordinates `half_pixel` and made them the default.
TEST(EdgeValuesTest, RegionsOfOldModelsHaveNoHalfPixels) {
  const auto align = [](int opset) {
    OneNode node("RoiAlign", opset);
    node.Int("output_width", 2).Int("sampling_ratio", 1);
    return node;
  };
  const Texts operands = {"float32[1,1,2,4] 1 2 3 4 5 6 7 8",
                          "float32[1,4] 0 0 2 1", "int64[1] 0"};
  // Points (0.5, 0.5) and (1.5, 0.5), and half a pixel before them.
  Expect(align(10), operands, {"float32[1,1,1,2] 3.5 4.5"});
  Expect(align(16), operands, {"float32[1,1,1,2] 1 2"});
}

TEST(EdgeValuesTest, CeluOfTheLargestNumberIsFinite) {
  OneNode node("Celu", 12);
  node.Float("alpha", 2.69f);
  Expect(node, {"float32[4] 3.4028235e38 inf -inf nan"},
         {"float32[4] 3.4028235e38 inf -2.69 nan"});
}

TEST(EdgeValuesTest, InverseOfOneSidedTransforms) {
  const auto inverse = [] {
    OneNode node("DFT", 17);
    node.Int("inverse", 1).Int("onesided", 1);
    return node;
  };
  // The signal 0 1 2 3, whose transform is 6, -2+2i, -2.
  Expect(inverse(), {"float32[1,3,2] 6 0 -2 2 -2 0"},
         {"float32[1,4,1] 0 1 2 3"});
  // Imaginary parts that a real signal does not have are not read.
  Expect(inverse(), {"float32[1,3,2] 6 5 -2 2 -2 7", "const int64[] 4"},
         {"float32[1,4,1] 0 1 2 3"});
}

TEST(EdgeValuesTest, Float16HasAllOperatorsThatCompare) {
  Expect(OneNode("TopK", 11), {"float16[4] 1 2 2 65504", "const int64[1] 3"},
         {"float16[3] 65504 2 2", "int64[3] 3 1 2"});
  Expect(OneNode("Unique", 11), {"float16[5] 2 1 1 3 2"},
         {"float16[3] 1 2 3", "int64[3] 1 0 3", "int64[5] 1 0 0 2 1",
          "int64[3] 2 2 1"});
  Expect(OneNode("NonZero", 13), {"float16[4] 1 0 -0 nan"}, {"int64[1,2] 0 3"});
}

TEST(EdgeValuesTest, UniqueIntegersBeyondFloats) {
  Expect(OneNode("Unique", 11),
         {"int64[3] 9007199254740993 5 "
          "9007199254740992"},
         {"int64[3] 5 9007199254740992 9007199254740993", "int64[3] 1 2 0",
          "int64[3] 2 0 1", "int64[3] 1 1 1"});
  Expect(OneNode("Unique", 11), {"uint64[2] 18446744073709551615 1"},
         {"uint64[2] 1 18446744073709551615", "int64[2] 1 0", "int64[2] 1 0",
          "int64[2] 1 1"});
}

TEST(EdgeValuesTest, IntegersWrapAround) {
  const std::string x = "int32[4] 2147483647 -2147483648 -1 7";
  Expect(OneNode("Neg", 13), {x}, {"int32[4] -2147483647 -2147483648 1 -7"});
  Expect(OneNode("Abs", 13), {x}, {"int32[4] 2147483647 -2147483648 1 7"});
  Expect(OneNode("Add", 13), {x, "int32[] 1"},
         {"int32[4] -2147483648 -2147483647 0 8"});
  Expect(OneNode("Mul", 13), {x, x}, {"int32[4] 1 0 1 49"});
  Expect(OneNode("Div", 13), {x, "int32[4] -1 -1 2 -2"},
         {"int32[4] -2147483647 -2147483648 0 -3"});
  Expect(OneNode("Mod", 13), {x, "int32[4] -1 3 2 -2"}, {"int32[4] 0 1 1 -1"});
  Expect(OneNode("ReduceSum", 13).Int("keepdims", 0), {x}, {"int32[] 5"});
}

}  // namespace
}  // namespace assay
