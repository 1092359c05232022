// The bodies of the quantized operators as text.
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/contrib/testing/contrib_call_text.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

using Call = ContribCallText;

TEST(QuantizedTest, FloatOperatorBetweenQuantizations) {
  Call binary("QLinearMul");
  binary.In("uint8[2,3]").In("float32[]").In("uint8[]");
  binary.In("uint8[3]").In("float32[]").In("uint8[]");
  binary.In("float32[]").In("uint8[]");
  EXPECT_EQ(binary.Text(),
            "%0 = DequantizeLinear(%in0, %in1, %in2)\n"
            "%1 = DequantizeLinear(%in3, %in4, %in5)\n"
            "%2 = Mul(%0, %1)\n"
            "%3 = QuantizeLinear(%2, %in6, %in7)\n"
            "-> %3");
  // The zero points are left out; the result is int8 like the operands.
  EXPECT_EQ(Call("QLinearAdd")
                .In("int8[3]")
                .In("float32[]")
                .LeaveOut()
                .In("int8[3]")
                .In("float32[1]")
                .LeaveOut()
                .In("float32[]")
                .Text(),
            "%0 = DequantizeLinear(%in0, %in1, _)\n"
            "%1 = DequantizeLinear(%in3, %in4, _)\n"
            "%2 = Add(%0, %1)\n"
            "%3 = QuantizeLinear(%2, %in6) {output_dtype=3}\n"
            "-> %3");
  EXPECT_EQ(Call("QLinearAdd").In("int8[3]").In("float32[]").Text(),
            "error: input 3 is left out but is required");
}

// A quantized operator with one operand of type `type`.
Call Unary(const char* op_type, const char* type) {
  Call call(op_type);
  call.In(type).In("float32[]").In("uint8[]").In("float32[]").In("uint8[]");
  return call;
}

// The body of Unary() for an operator with this body.
std::string Quantized(const std::string& body, int results) {
  return absl::StrCat("%0 = DequantizeLinear(%in0, %in1, %in2)\n", body, "%",
                      results + 1, " = QuantizeLinear(%", results,
                      ", %in3, %in4)\n-> %", results + 1);
}

TEST(QuantizedTest, UnaryOperators) {
  EXPECT_EQ(Unary("QLinearSigmoid", "uint8[2]").Text(),
            Quantized("%1 = Sigmoid(%0)\n", 1));
  EXPECT_EQ(Unary("QLinearLeakyRelu", "uint8[2]").Text(),
            Quantized("%1 = LeakyRelu(%0) {alpha=0.01}\n", 1));
  EXPECT_EQ(Unary("QLinearReduceMean", "uint8[2,3]")
                .Ints("axes", {1})
                .Int("keepdims", 0)
                .Text(),
            Quantized("%1 = ReduceMean(%0, [1]) {keepdims=0}\n", 1));
  EXPECT_EQ(Unary("QLinearSoftmax", "uint8[2,3]").Int("opset", 13).Text(),
            Quantized("%1 = Softmax(%0) {axis=1}\n", 1));
  EXPECT_EQ(Unary("QLinearSoftmax", "uint8[2,3,4]")
                .Int("opset", 12)
                .Int("axis", 1)
                .Text(),
            Quantized("%1 = Reshape(%0, [2,12]) {allowzero=1}\n"
                      "%2 = Softmax(%1) {axis=1}\n"
                      "%3 = Reshape(%2, [2,3,4]) {allowzero=1}\n",
                      3));
  EXPECT_EQ(Call("QLinearSigmoid")
                .In("uint8[3]")
                .In("float32[3]")
                .LeaveOut()
                .In("float32[]")
                .Text(),
            "error: input 1 is float32[3] but one element is needed");
}

TEST(QuantizedTest, PoolsInBothLayouts) {
  EXPECT_EQ(Unary("QLinearAveragePool", "uint8[1,3,8,8]")
                .Ints("kernel_shape", {2, 2})
                .Text(),
            Quantized("%1 = AveragePool(%0) {kernel_shape=[2,2]}\n", 1));
  EXPECT_EQ(Unary("QLinearAveragePool", "uint8[1,8,8,3]")
                .Ints("kernel_shape", {2, 2})
                .Int("channels_last", 1)
                .Text(),
            Quantized("%1 = Transpose(%0) {perm=[0,3,1,2]}\n"
                      "%2 = AveragePool(%1) {kernel_shape=[2,2]}\n"
                      "%3 = Transpose(%2) {perm=[0,2,3,1]}\n",
                      3));
  EXPECT_EQ(Unary("QLinearGlobalAveragePool", "uint8[1,3,8,8]").Text(),
            Quantized("%1 = GlobalAveragePool(%0)\n", 1));
}

TEST(QuantizedTest, SeveralParts) {
  EXPECT_EQ(Call("QLinearConcat")
                .In("float32[]")
                .In("uint8[]")
                .In("uint8[2,3]")
                .In("float32[]")
                .In("uint8[]")
                .In("uint8[2,1]")
                .In("float32[]")
                .In("uint8[]")
                .Int("axis", 1)
                .Text(),
            "%0 = DequantizeLinear(%in2, %in3, %in4)\n"
            "%1 = DequantizeLinear(%in5, %in6, %in7)\n"
            "%2 = Concat(%0, %1) {axis=1}\n"
            "%3 = QuantizeLinear(%2, %in0, %in1)\n"
            "-> %3");
  Call where("QLinearWhere");
  where.In("bool[3]").In("uint8[3]").In("float32[]").In("uint8[]");
  where.In("uint8[3]").In("float32[]").In("uint8[]");
  where.In("float32[]").In("uint8[]");
  EXPECT_EQ(where.Text(),
            "%0 = DequantizeLinear(%in1, %in2, %in3)\n"
            "%1 = DequantizeLinear(%in4, %in5, %in6)\n"
            "%2 = Where(%in0, %0, %1)\n"
            "%3 = QuantizeLinear(%2, %in7, %in8)\n"
            "-> %3");
}

TEST(QuantizedTest, OneScaleWithoutAxis) {
  EXPECT_EQ(Call("QuantizeLinear").In("float32[2,3]").In("float32[]").Text(),
            "%0 = QuantizeLinear(%in0, %in1, _)\n-> %0");
  EXPECT_EQ(Call("DequantizeLinear")
                .In("uint8[2,3]")
                .In("float32[2]")
                .In("uint8[2]")
                .Int("axis", 0)
                .Text(),
            "%0 = DequantizeLinear(%in0, %in1, %in2) {axis=0}\n-> %0");
  EXPECT_EQ(Call("DequantizeLinear").In("uint8[2,3]").In("float32[3]").Text(),
            "error: input 1 is float32[3] but one element is needed");
}

TEST(QuantizedProductsTest, ScaleIntegerSums) {
  EXPECT_EQ(Call("MatMulIntegerToFloat")
                .In("uint8[2,3]")
                .In("int8[3,4]")
                .In("float32[]")
                .In("float32[4]")
                .In("uint8[]")
                .LeaveOut()
                .In("float32[4]")
                .Text(),
            "%0 = MatMulInteger(%in0, %in1, %in4, _)\n"
            "%1 = Mul(%in2, %in3)\n"
            "%2 = DequantizeLinear(%0, %1) {axis=-1}\n"
            "%3 = Add(%2, %in6)\n"
            "-> %3");
  EXPECT_EQ(Call("DynamicQuantizeMatMul")
                .In("float32[2,3]")
                .In("int8[3,4]")
                .In("float32[4]")
                .In("int8[4]")
                .Text(),
            "%0, %1, %2 = DynamicQuantizeLinear(%in0)\n"
            "%3 = MatMulInteger(%0, %in1, %2, %in3)\n"
            "%4 = Mul(%1, %in2)\n"
            "%5 = DequantizeLinear(%3, %4) {axis=-1}\n"
            "-> %5");
}

TEST(QuantizedProductsTest, QGemmIsFloatWithoutScaleOfResult) {
  Call call("QGemm");
  call.In("uint8[2,3]").In("float32[]").In("uint8[]");
  call.In("int8[4,3]").In("float32[4]").In("int8[4]").Int("transB", 1);
  EXPECT_EQ(call.Text(),
            "%0 = Transpose(%in3) {perm=[1,0]}\n"
            "%1 = MatMulInteger(%in0, %0, %in2, %in5)\n"
            "%2 = Mul(%in1, %in4)\n"
            "%3 = DequantizeLinear(%1, %2) {axis=-1}\n"
            "-> %3");
  call.In("int32[4]").In("float32[]");
  EXPECT_EQ(call.Text(),
            "error: inputs 7 (y_scale) and 8 (y_zero_point) must be given "
            "together");
  EXPECT_EQ(call.In("uint8[]").Float("alpha", 2).Text(),
            "%0 = Transpose(%in3) {perm=[1,0]}\n"
            "%1 = MatMulInteger(%in0, %0, %in2, %in5)\n"
            "%2 = Add(%1, %in6)\n"
            "%3 = Mul(%in1, %in4)\n"
            "%4 = Mul(%3, 2)\n"
            "%5 = DequantizeLinear(%2, %4) {axis=-1}\n"
            "%6 = QuantizeLinear(%5, %in7, %in8)\n"
            "-> %6");
}

TEST(QuantizedProductsTest, QLinearConvInOneLayout) {
  Call call("QLinearConv");
  call.In("uint8[1,2,4,4]").In("float32[]").In("uint8[]");
  call.In("int8[3,2,1,1]").In("float32[3]").In("int8[3]");
  call.In("float32[]").In("uint8[]").Int("group", 1);
  EXPECT_EQ(Call(call).Int("channels_last", 0).Text(),
            "%0 = QLinearConv(%in0, %in1, %in2, %in3, %in4, %in5, %in6, %in7, "
            "_) {group=1}\n-> %0");
  EXPECT_EQ(call.Int("channels_last", 1).Text(),
            "error: attribute `channels_last` is 1; only 0 is supported");
}

TEST(QuantizedProductsTest, LstmRemainsOneNode) {
  Call call("DynamicQuantizeLSTM");
  call.In("float32[5,1,3]").In("uint8[1,3,8]").In("uint8[1,2,8]");
  for (int i = 3; i < 8; ++i) call.LeaveOut();
  call.In("float32[1]").In("uint8[1]").In("float32[1,8]").In("uint8[1,8]");
  EXPECT_EQ(call.Int("hidden_size", 2).Out("h").Out("c").Text(),
            "%0, %1, %2 = DynamicQuantizeLSTM(%in0, %in1, %in2, _, _, _, _, _, "
            "%in8, %in9, %in10, %in11) {hidden_size=2}\n"
            "-> %0, %1, %2");
}

}  // namespace
}  // namespace assay::frontend
