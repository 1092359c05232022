// Comparisons, logic and bits: imports one ONNX node and compares the
// text of the graph.
#include "compiler/frontend/onnx/testing/one_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

constexpr auto kBool = onnx::TensorProto::BOOL;

TEST(LogicTest, Comparisons) {
  EXPECT_EQ(OneNode("Equal", 13).Data({2, 3}, kBool).Data({3}, kBool).Text(),
            "%2: bool[2,3] = equal(%x0, %x1) \"n\"");
  EXPECT_EQ(OneNode("Greater", 9).Data({2}).Data({2}).Text(),
            "%2: bool[2] = less(%x1, %x0) \"n\"");
  EXPECT_EQ(OneNode("GreaterOrEqual", 12).Data({2}).Data({2}).Text(),
            "%2: bool[2] = less_equal(%x1, %x0) \"n\"");
  EXPECT_EQ(OneNode("Less", 9).Data({2}, kBool).Data({2}, kBool).Text(),
            "error: node `n` (Less): element type bool is not supported; "
            "floats and integers are");
}

TEST(LogicTest, TruthValues) {
  EXPECT_EQ(OneNode("And", 7).Data({2}, kBool).Data({2}, kBool).Text(),
            "%2: bool[2] = bitwise_and(%x0, %x1) \"n\"");
  EXPECT_EQ(OneNode("Not", 7).Data({2}, kBool).Text(),
            "%1: bool[2] = bitwise_not(%x0) \"n\"");
  EXPECT_EQ(OneNode("Xor", 7).Data({2}).Data({2}).Text(),
            "error: node `n` (Xor): input 0 is float32[2] but bool is needed");
  EXPECT_EQ(OneNode("Where", 16).Data({2}, kBool).Data({3, 1}).Data({}).Text(),
            "%3: float32[3,2] = select(%x0, %x1, %x2) \"n\"");
}

TEST(LogicTest, BitsAndRemainders) {
  constexpr auto kByte = onnx::TensorProto::UINT8;
  EXPECT_EQ(OneNode("BitShift", 11)
                .Data({2}, kByte)
                .Data({2}, kByte)
                .String("direction", "LEFT")
                .Text(),
            "%2: uint8[2] = shift_left(%x0, %x1) \"n\"");
  EXPECT_EQ(OneNode("BitShift", 11).Data({2}, kByte).Data({2}, kByte).Text(),
            "error: node `n` (BitShift): attribute `direction` is `` but LEFT "
            "or RIGHT is needed");
  EXPECT_EQ(OneNode("Mod", 10).Data({2}, kByte).Data({2}, kByte).Text(),
            "%2: uint8[2] = floor_mod(%x0, %x1) \"n\"");
  EXPECT_EQ(OneNode("Mod", 10).Data({2}).Data({2}).Int("fmod", 1).Text(),
            "%2: float32[2] = trunc_mod(%x0, %x1) \"n\"");
  EXPECT_EQ(OneNode("Mod", 10).Data({2}).Data({2}).Text(),
            "error: node `n` (Mod): attribute `fmod` is 0 but the operands are "
            "float32[2]; floats need 1");
}

TEST(LogicTest, NanAndInfinity) {
  EXPECT_EQ(OneNode("IsNaN", 13).Data({2}).Text(),
            "%1: bool[2] = equal(%x0, %x0) \"n\"\n"
            "%2: bool[2] = bitwise_not(%1) \"n\"");
  EXPECT_EQ(OneNode("IsInf", 10).Data({2}).Text(),
            "%1: float32[2] = abs(%x0) \"n\"\n"
            "%3: bool[2] = equal(%1, %2) \"n\"");
  EXPECT_EQ(
      OneNode("IsInf", 10).Data({2}, onnx::TensorProto::INT32).Text(),
      "error: node `n` (IsInf): the operator needs the number inf, which is no "
      "int32");
  EXPECT_EQ(OneNode("IsInf", 10).Data({2}).Int("detect_negative", 0).Text(),
            "%2: bool[2] = equal(%x0, %1) \"n\"");
}

TEST(LogicTest, CastLike) {
  EXPECT_EQ(OneNode("CastLike", 15).Data({2}).Data({}, kBool).Text(),
            "%2: bool[2] = cast(%x0) {dtype=bool} \"n\"");
  EXPECT_EQ(OneNode("Cast", 13).Data({2}).Int("to", 8).Text(),
            "error: node `n` (Cast): attribute `to` is `string`, an element "
            "type that is not supported");
}

}  // namespace
}  // namespace assay::frontend
