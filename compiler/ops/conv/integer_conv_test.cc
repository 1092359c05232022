// Compares blocked convolutions of bytes with the reference exactly.
#include "compiler/ops/conv/integer_conv.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

// The weights are packed as the layout pass does it for the target.
struct Machine {
  const char* target;
  const char* weights;
  int depth;
};
constexpr Machine kMachines[] = {
    {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3", "int16", 2},
    {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4", "int16", 2},
    {"llvm -mtriple=x86_64-linux-gnu -mcpu=cascadelake", "int8", 4},
    {"llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a55", "int8", 4},
};

// A convolution to 24 filters in blocks of 8. Each group has 16 channels.
// `rest` follows the convolution %1.
void ExpectRight(const std::string& data, int kernel, const std::string& result,
                 const std::string& window, const std::string& more_inputs,
                 const std::string& rest, const std::string& output,
                 int groups = 1) {
  for (const Machine& machine : kMachines) {
    const int depth = machine.depth;
    CheckOptions options;
    options.low = 0;
    options.high = 20;
    options.absolute = options.relative = 0;
    options.kernel.implementation = "conv2d.integer_nchwc";
    const std::string text = absl::StrCat(
        "graph g(%x: ", data, ", %w: ", machine.weights, "[3,2,", kernel, ",",
        kernel, ",", 8 / depth, ",8,", depth, "]", more_inputs, ") -> (",
        output, ") {\n  %1: ", result, " = conv2d(%x, %w) {", window,
        ", dilations=[1,1], groups=", groups,
        ", in_block=8, out_block=8, depth=", depth, "}\n", rest, "}");
    EXPECT_EQ(CheckKernel(*graph::GraphFromText(text), machine.target, options),
              "")
        << machine.target << "\n"
        << text;
  }
}

TEST(IntegerConvTest, WindowsOfEverySort) {
  ExpectRight("uint8[1,2,7,11,8]", 3, "int32[1,3,7,11,8]",
              "strides=[1,1], padding=[1,1,1,1]", "", "", "%1");
  ExpectRight("int8[2,2,9,9,8]", 3, "int32[2,3,4,4,8]",
              "strides=[2,2], padding=[0,0,0,0]", "", "", "%1");
  ExpectRight("uint8[1,2,5,13,8]", 1, "int32[1,3,5,13,8]",
              "strides=[1,1], padding=[0,0,0,0]", "", "", "%1");
}

TEST(IntegerConvTest, GroupsOfWholeBlocks) {
  ExpectRight("uint8[1,6,7,11,8]", 3, "int32[1,3,7,11,8]",
              "strides=[1,1], padding=[1,1,1,1]", "", "", "%1", 3);
  ExpectRight("int8[2,6,9,9,8]", 3, "int32[2,3,4,4,8]",
              "strides=[2,2], padding=[0,0,0,0]", "", "", "%1", 3);
}

TEST(IntegerConvTest, BiasAndRequantisationInTheTile) {
  ExpectRight("uint8[1,2,7,11,8]", 3, "int32[1,3,7,11,8]",
              "strides=[1,1], padding=[1,1,1,1]",
              ", %b: int32[3,1,1,8], %s: float32[], %z: uint8[]",
              "  %2: int32[1,3,7,11,8] = add(%1, %b)\n"
              "  %3: uint8[1,3,7,11,8] = requantize(%2, %s, %z) {axis=1, "
              "dtype=uint8}\n",
              "%3");
}

}  // namespace
}  // namespace assay::ops
