// Compares slice, pad, casts and quantization with the reference.
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

TEST(InjectiveTest, SliceForwardsAndBackwards) {
  EXPECT_EQ(CheckText("graph g(%x: float32[5,40]) -> (%1) { %1: float32[2,16] "
                      "= slice(%x) {begins=[1,3], steps=[2,1], "
                      "sizes=[2,16]} }"),
            "");
  EXPECT_EQ(CheckText("graph g(%x: int64[5,7]) -> (%1) { %1: int64[5,3] = "
                      "slice(%x) {begins=[4,6], steps=[-1,-3], "
                      "sizes=[5,3]} }"),
            "");
}

TEST(InjectiveTest, Pad) {
  EXPECT_EQ(CheckText("graph g(%x: float32[2,3,5]) -> (%1) { %1: "
                      "float32[2,6,16] = pad(%x) {before=[0,1,4], "
                      "after=[0,2,7], value=2.5} }"),
            "");
  EXPECT_EQ(CheckText("graph g(%x: int32[4]) -> (%1) { %1: int32[7] = "
                      "pad(%x) {before=[3], after=[0], value=-7} }"),
            "");
}

TEST(InjectiveTest, CastsBetweenNumberTypes) {
  CheckOptions options;
  options.low = -90;
  options.high = 90;
  for (const char* from : {"float32", "float16", "int32", "int8", "int64"}) {
    for (const char* to :
         {"float32", "bfloat16", "float64", "int8", "int32", "int64", "bool"}) {
      EXPECT_EQ(CheckText(absl::StrCat("graph g(%x: ", from, "[3,16]) -> (%1) ",
                                       "{ %1: ", to, "[3,16] = cast(%x) ",
                                       "{dtype=", to, "} }"),
                          options),
                "")
          << from << " to " << to;
    }
  }
}

// The largest values saturate.
TEST(InjectiveTest, QuantizePerTensorAndPerChannel) {
  for (const char* type : {"int8", "uint8"}) {
    CheckOptions options;
    options.low = 1;
    options.high = 40;
    for (const char* shape : {"", "1", "3"}) {
      EXPECT_EQ(
          CheckText(absl::StrCat("graph g(%x: float32[2,3,16], %s: float32[",
                                 shape, "], %z: ", type, "[", shape,
                                 "]) -> (%2) {\n  %1: float32[2,3,16] = ",
                                 "multiply(%x, %x)\n  %2: ", type,
                                 "[2,3,16] = quantize(%1, %s, %z) {axis=1, ",
                                 "dtype=", type, "}\n}"),
                    options),
          "")
          << type << shape;
    }
  }
}

TEST(InjectiveTest, DequantizeAndRequantize) {
  CheckOptions options;
  options.low = 0;
  options.high = 90;
  EXPECT_EQ(
      CheckText("graph g(%x: int8[2,16], %s: float32[16], %z: int8[16]) -> "
                "(%1) { %1: float32[2,16] = dequantize(%x, %s, %z) {axis=1, "
                "dtype=float32} }",
                options),
      "");
  EXPECT_EQ(
      CheckText("graph g(%x: int32[2,3,5], %s: float32[3], %z: uint8[]) -> "
                "(%1) { %1: uint8[2,3,5] = requantize(%x, %s, %z) {axis=1, "
                "dtype=uint8} }",
                options),
      "");
}

}  // namespace
}  // namespace assay::ops
