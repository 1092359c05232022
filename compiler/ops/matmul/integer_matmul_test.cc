// Compares products of integers, and of 16-bit floats with float32 sums, with
// the reference, at sizes that are no multiples of a tile.
#include "compiler/ops/matmul/integer_matmul.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

// Targets that multiply pairs of int16, bytes (VNNI and NEON) and single int16.
constexpr const char* kTargets[] = {
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3",
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4",
    "llvm -mtriple=x86_64-linux-gnu -mcpu=cascadelake",
    "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53",
    "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a55",
};

CheckOptions Exact(float low, float high) {
  CheckOptions options;
  options.low = low;
  options.high = high;
  options.absolute = options.relative = 0;
  options.kernel.implementation = "matmul.blocked_integer";
  return options;
}

void ExpectRight(const std::string& text, const CheckOptions& options) {
  for (const char* target : kTargets) {
    EXPECT_EQ(CheckKernel(*graph::GraphFromText(text), target, options), "")
        << target << "\n"
        << text;
  }
}

TEST(IntegerMatmulTest, EveryPairOfTypes) {
  const struct {
    const char *a, *b;
    float low, high;
  } kCases[] = {{"uint8", "int8", 0, 127},    {"int8", "int8", -128, 127},
                {"uint8", "uint8", 0, 255},   {"int8", "uint8", 0, 127},
                {"int16", "int8", -128, 127}, {"int16", "int16", -300, 300}};
  for (const auto& c : kCases) {
    ExpectRight(absl::StrCat("graph g(%x: ", c.a, "[13,35], %y: ", c.b,
                             "[35,41]) -> (%1) { %1: int32[13,41] = "
                             "matmul(%x, %y) }"),
                Exact(c.low, c.high));
  }
}

TEST(IntegerMatmulTest, BlocksOfTheReduction) {
  CheckOptions options = Exact(-128, 127);
  options.kernel.config.SetKnob("kc", 20).SetKnob("mc", 1).SetKnob("nc", 1);
  ExpectRight(
      "graph g(%x: int8[19,60], %y: int8[60,37]) -> (%2) {\n"
      "  %1: int32[19,37] = matmul(%x, %y)\n"
      "  %2: float32[19,37] = cast(%1) {dtype=float32}\n}",
      options);
}

TEST(IntegerMatmulTest, BiasAndRequantisationInTheTile) {
  ExpectRight(
      "graph g(%x: uint8[21,40], %y: int8[40,33], %b: int32[33], "
      "%s: float32[33], %z: uint8[]) -> (%3) {\n"
      "  %1: int32[21,33] = matmul(%x, %y)\n"
      "  %2: int32[21,33] = add(%1, %b)\n"
      "  %3: uint8[21,33] = requantize(%2, %s, %z) {axis=1, dtype=uint8}\n}",
      Exact(0, 9));
}

TEST(IntegerMatmulTest, OddShapesInPlainImplementations) {
  CheckOptions options = Exact(-128, 127);
  options.kernel.implementation = "";
  for (const char* text :
       {"graph g(%x: int8[3,2,5,7], %y: int8[3,1,7,3]) -> (%1) { %1: "
        "int32[3,2,5,3] = matmul(%x, %y) }",
        "graph g(%x: int8[3,33], %w: int8[9,33]) -> (%1) { %1: int32[3,9] = "
        "dense(%x, %w) }",
        "graph g(%x: int8[3,64], %w: int8[9,64]) -> (%1) { %1: int32[3,9] = "
        "dense(%x, %w) }",
        "graph g(%x: int8[1,5,6,7], %w: int8[4,5,3,3]) -> (%1) { %1: "
        "int32[1,4,6,7] = conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], "
        "dilations=[1,1], groups=1} }"}) {
    ExpectRight(text, options);
  }
}

// Operands of the accumulator type: blocked, in rows, and with transposed
// columns.
TEST(IntegerMatmulTest, WideTypes) {
  for (const std::string t :
       {"float64", "int32", "uint32", "int64", "uint64"}) {
    CheckOptions options;
    options.low = t == "float64" ? -1 : 0;
    options.high = t == "float64" ? 1 : 1e9f;
    options.absolute = options.relative = 1e-13;
    for (const char* shapes : {"[29,65] [65,35] [29,35]", "[2,7] [7,3] [2,3]",
                               "[3,2,4] [4,9] [3,2,9]"}) {
      const std::vector<std::string> s = absl::StrSplit(shapes, ' ');
      EXPECT_EQ(CheckText("graph g(%x: " + t + s[0] + ", %y: " + t + s[1] +
                              ") -> (%1) {\n  %1: " + t + s[2] +
                              " = matmul(%x, %y)\n}",
                          options),
                "")
          << t << shapes;
    }
    EXPECT_EQ(CheckText("graph g(%x: " + t + "[5,64], %y: " + t +
                            "[9,64]) -> (%1) {\n  %1: " + t +
                            "[5,9] = dense(%x, %y)\n}",
                        options),
              "")
        << t;
  }
}

// Operands of 16 bits with products and sums in float32.
TEST(IntegerMatmulTest, SixteenBitFloats) {
  CheckOptions options;
  for (const char* type : {"float16", "bfloat16"}) {
    ExpectRight(absl::StrCat("graph g(%x: ", type, "[29,65], %y: ", type,
                             "[65,35]) -> (%1) { %1: float32[29,35] = "
                             "matmul(%x, %y) }"),
                options);
    ExpectRight(absl::StrCat("graph g(%x: ", type, "[3,64], %w: ", type,
                             "[9,64]) -> (%2) {\n  %1: float32[3,9] = "
                             "dense(%x, %w)\n  %2: ",
                             type, "[3,9] = cast(%1) {dtype=", type, "}\n}"),
                options);
  }
}

}  // namespace
}  // namespace assay::ops
