// Compares blocked convolutions of bytes with the reference exactly.
#include "compiler/ops/conv/integer_conv.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

// The weights are stored as it suits the target.
struct Machine {
  const char* target;
  const char* weights;
};
constexpr Machine kMachines[] = {
    {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3", "depth=2,dtype=int16"},
    {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4", "depth=2,dtype=int16"},
    {"llvm -mtriple=x86_64-linux-gnu -mcpu=cascadelake", "depth=4"},
    {"llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a55", "depth=4"},
};

// A convolution to 24 filters. Each group has 16 channels, and data and result
// have blocks of 8. `rest` follows the convolution %1.
void ExpectRight(const std::string& data, int kernel, const std::string& result,
                 const std::string& window, const std::string& more_inputs,
                 const std::string& rest, const std::string& output,
                 int groups = 1) {
  for (const Machine& machine : kMachines) {
    CheckOptions options;
    options.low = 0;
    options.high = 20;
    options.absolute = options.relative = 0;
    options.kernel.implementation = "conv2d.integer_nchwc";
    const std::string text = absl::StrCat(
        "graph g(%x: ", data, "@blocks(8), %w: int8[24,16,", kernel, ",",
        kernel, "]@filters(in=8,out=8,", machine.weights, ")", more_inputs,
        ") -> (", output, ") {\n  %1: ", result,
        "@blocks(8) = conv2d(%x, %w) {", window,
        ", dilations=[1,1], groups=", groups, "}\n", rest, "}");
    EXPECT_EQ(CheckKernel(*graph::GraphFromText(text), machine.target, options),
              "")
        << machine.target << "\n"
        << text;
  }
}

TEST(IntegerConvTest, WindowsOfEverySort) {
  ExpectRight("uint8[1,16,7,11]", 3, "int32[1,24,7,11]",
              "strides=[1,1], padding=[1,1,1,1]", "", "", "%1");
  ExpectRight("int8[2,16,9,9]", 3, "int32[2,24,4,4]",
              "strides=[2,2], padding=[0,0,0,0]", "", "", "%1");
  ExpectRight("uint8[1,16,5,13]", 1, "int32[1,24,5,13]",
              "strides=[1,1], padding=[0,0,0,0]", "", "", "%1");
}

TEST(IntegerConvTest, GroupsOfWholeBlocks) {
  ExpectRight("uint8[1,48,7,11]", 3, "int32[1,24,7,11]",
              "strides=[1,1], padding=[1,1,1,1]", "", "", "%1", 3);
  ExpectRight("int8[2,48,9,9]", 3, "int32[2,24,4,4]",
              "strides=[2,2], padding=[0,0,0,0]", "", "", "%1", 3);
}

TEST(IntegerConvTest, BiasAndRequantisationInTheTile) {
  ExpectRight(
      "uint8[1,16,7,11]", 3, "int32[1,24,7,11]",
      "strides=[1,1], padding=[1,1,1,1]",
      ", %b: int32[24,1,1], %s: float32[], %z: uint8[]",
      "  %2: int32[1,24,7,11]@blocks(8) = add(%1, %b)\n"
      "  %3: uint8[1,24,7,11]@blocks(8) = requantize(%2, %s, %z) {axis=1, "
      "dtype=uint8}\n",
      "%3");
}

}  // namespace
}  // namespace assay::ops
