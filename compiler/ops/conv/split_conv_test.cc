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

// The sum of the parts of a number is rounded, and the product of the low parts
// is left out: about 2^-16 of each product.
constexpr double kTolerance = 5e-4;

struct Case {
  std::string data, weights, result;
  std::string window;
  int in_block = 16;
  std::string filters = "";  // fields of the encoding
};

std::string TextOf(const Case& c, const std::string& more_inputs,
                   const std::string& rest, const std::string& output) {
  return absl::StrCat("graph g(%x: float32", c.data, "@blocks(", c.in_block,
                      "), %w: float32", c.weights, "@split_filters(", c.filters,
                      ")", more_inputs, ") -> (", output, ") {\n  %1: float32",
                      c.result, "@blocks(16) = conv2d(%x, %w) {", c.window,
                      ", groups=1}\n", rest, "}");
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
  return {"[1,32,7,11]", "[32,32,3,3]", "[1,32,7,11]",
          "strides=[1,1], padding=[1,1,1,1], dilations=[1,1]"};
}

TEST(SplitConvTest, WindowsOfEverySort) {
  ExpectRight(Conv3x3(), {});
  // Strides, several images, asymmetric padding.
  ExpectRight({"[2,32,9,8]", "[16,32,3,3]", "[2,16,5,4]",
               "strides=[2,2], padding=[1,1,1,0], dilations=[1,1]"},
              {});
  // A stride that skips rows and columns.
  ExpectRight({"[1,32,9,9]", "[32,32,1,1]", "[1,32,5,5]",
               "strides=[2,2], padding=[0,0,0,0], dilations=[1,1]"},
              {});
  // Dilations, with and without strides.
  ExpectRight({"[1,32,9,9]", "[16,32,3,3]", "[1,16,5,5]",
               "strides=[1,1], padding=[0,0,0,0], dilations=[2,2]"},
              {});
  ExpectRight({"[1,32,11,11]", "[16,32,3,2]", "[1,16,3,5]",
               "strides=[3,2], padding=[0,0,0,0], dilations=[2,1]"},
              {});
  // An image of fewer positions than a tile.
  ExpectRight({"[1,32,3,2]", "[32,32,1,1]", "[1,32,3,2]",
               "strides=[1,1], padding=[0,0,0,0], dilations=[1,1]"},
              {});
}

// Blocks of channels that do not fill a tile, or that contain several.
TEST(SplitConvTest, BlocksOfEverySize) {
  for (const int block : {4, 8, 16, 32}) {
    ExpectRight({absl::StrCat("[1,", block == 4 ? 24 : 96, ",5,5]"),
                 block == 4 ? "[16,24,3,3]" : "[16,96,3,3]", "[1,16,5,5]",
                 "strides=[1,1], padding=[1,1,1,1], dilations=[1,1]", block},
                {});
  }
}

// The columns of the filter are stored like channels.
TEST(SplitConvTest, FewChannels) {
  ExpectRight({"[1,3,11,14]", "[16,3,7,7]", "[1,16,6,7]",
               "strides=[2,2], padding=[3,3,3,3], dilations=[1,1]", 3, "7"},
              {});
  ExpectRight({"[2,4,8,9]", "[32,4,3,3]", "[2,32,6,5]",
               "strides=[1,1], padding=[0,0,0,0], dilations=[1,2]", 4, "3"},
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
  EXPECT_EQ(
      CheckKernel(*graph::GraphFromText(TextOf(
                      Conv3x3(),
                      ", %b: float32[32,1,1], "
                      "%r: float32[1,32,7,11]@blocks(16)",
                      "  %2: float32[1,32,7,11]@blocks(16) = add(%1, %b)\n"
                      "  %3: float32[1,32,7,11]@blocks(16) = add(%2, %r)\n"
                      "  %4: float32[1,32,7,11]@blocks(16) = relu(%3)\n",
                      "%4")),
                  kTarget, Options()),
      "");
}

}  // namespace
}  // namespace assay::ops
