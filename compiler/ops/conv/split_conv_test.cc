// Compares blocked convolutions of split numbers with the reference.
#include "compiler/ops/conv/split_conv.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

constexpr char kTarget[] =
    "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids -num-cores=2";

// The test draws both parts of the weights at random, so that their low parts
// are as large as the high ones, and the product of the low parts, which is
// left out, counts: 2^-9 of an element.
constexpr double kTolerance = 0.03;

struct Case {
  std::string data, weights, result;
  std::string window;
  int in_block = 16;
};

std::string TextOf(const Case& c, const std::string& more_inputs,
                   const std::string& rest, const std::string& output) {
  return absl::StrCat("graph g(%x: float32", c.data, ", %w: bfloat16",
                      c.weights, more_inputs, ") -> (", output,
                      ") {\n  %1: float32", c.result, " = conv2d(%x, %w) {",
                      c.window, ", groups=1, in_block=", c.in_block,
                      ", out_block=16, bfloat16_parts=2}\n", rest, "}");
}

CheckOptions Options() {
  CheckOptions options;
  options.kernel.implementation = "conv2d.bf16x3_nchwc";
  options.relative = options.absolute = kTolerance;
  return options;
}

void ExpectRight(const Case& c, const Config& config) {
  CheckOptions options = Options();
  options.kernel.config = config;
  const std::string text = TextOf(c, "", "", "%1");
  EXPECT_EQ(CheckKernel(*graph::GraphFromText(text), kTarget, options), "")
      << text << config.ToString();
}

Case Conv3x3() {
  return {"[1,2,7,11,16]", "[2,1,3,3,2,16,16,2]", "[1,2,7,11,16]",
          "strides=[1,1], padding=[1,1,1,1], dilations=[1,1]"};
}

TEST(SplitConvTest, WindowsOfEverySort) {
  ExpectRight(Conv3x3(), {});
  // Strides, several images, asymmetric padding.
  ExpectRight({"[2,2,9,8,16]", "[1,1,3,3,2,16,16,2]", "[2,1,5,4,16]",
               "strides=[2,2], padding=[1,1,1,0], dilations=[1,1]"},
              {});
  // A stride that skips rows and columns.
  ExpectRight({"[1,2,9,9,16]", "[2,1,1,1,2,16,16,2]", "[1,2,5,5,16]",
               "strides=[2,2], padding=[0,0,0,0], dilations=[1,1]"},
              {});
  // Dilations, with and without strides.
  ExpectRight({"[1,2,9,9,16]", "[1,1,3,3,2,16,16,2]", "[1,1,5,5,16]",
               "strides=[1,1], padding=[0,0,0,0], dilations=[2,2]"},
              {});
  ExpectRight({"[1,2,11,11,16]", "[1,1,3,2,2,16,16,2]", "[1,1,3,5,16]",
               "strides=[3,2], padding=[0,0,0,0], dilations=[2,1]"},
              {});
  // An image of fewer positions than a tile.
  ExpectRight({"[1,2,3,2,16]", "[2,1,1,1,2,16,16,2]", "[1,2,3,2,16]",
               "strides=[1,1], padding=[0,0,0,0], dilations=[1,1]"},
              {});
}

// Blocks of channels that do not fill a tile, or that contain several.
TEST(SplitConvTest, BlocksOfEverySize) {
  for (const int block : {4, 8, 16, 32}) {
    ExpectRight(
        {absl::StrCat("[1,", block == 4 ? 6 : 96 / block, ",5,5,", block, "]"),
         block == 4 ? "[1,1,3,3,2,16,16,2]" : "[1,3,3,3,2,16,16,2]",
         "[1,1,5,5,16]", "strides=[1,1], padding=[1,1,1,1], dilations=[1,1]",
         block},
        {});
  }
}

// The columns of the filter are stored like channels.
TEST(SplitConvTest, FewChannels) {
  ExpectRight({"[1,1,11,14,3]", "[1,1,7,1,2,16,16,2]", "[1,1,6,7,16]",
               "strides=[2,2], padding=[3,3,3,3], dilations=[1,1], "
               "folded_columns=7",
               3},
              {});
  ExpectRight({"[2,1,8,9,4]", "[2,1,3,1,2,16,16,2]", "[2,2,6,5,16]",
               "strides=[1,1], padding=[0,0,0,0], dilations=[1,2], "
               "folded_columns=3",
               4},
              {});
}

TEST(SplitConvTest, EveryConfiguration) {
  for (const int64_t rows : {1, 3, 7}) {
    for (const int64_t share : {0, 1}) {
      for (const int64_t tiles_oc : {1, 2}) {
        ExpectRight(Conv3x3(),
                    Config()
                        .SetKnob("rows", rows)
                        .SetSplit("tiles", {-1, 4 / tiles_oc, tiles_oc})
                        .SetKnob("share_data", share)
                        .SetKnob("prefetch", share * 8));
      }
    }
  }
}

TEST(SplitConvTest, BiasResidualAndReluInTheTile) {
  EXPECT_EQ(CheckKernel(*graph::GraphFromText(TextOf(
                            Conv3x3(),
                            ", %b: float32[2,1,1,16], %r: float32[1,2,7,11,16]",
                            "  %2: float32[1,2,7,11,16] = add(%1, %b)\n"
                            "  %3: float32[1,2,7,11,16] = add(%2, %r)\n"
                            "  %4: float32[1,2,7,11,16] = relu(%3)\n",
                            "%4")),
                        kTarget, Options()),
            "");
}

}  // namespace
}  // namespace assay::ops
