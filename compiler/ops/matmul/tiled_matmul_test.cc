// Compares products on a matrix unit with the reference, at sizes that are no
// multiples of a tile.
#include "compiler/ops/matmul/tiled_matmul.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

constexpr char kTarget[] =
    "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids -num-cores=2";

void ExpectRight(const std::string& text, const CheckOptions& options) {
  EXPECT_EQ(CheckKernel(*graph::GraphFromText(text), kTarget, options), "")
      << text << options.kernel.config.ToString();
}

CheckOptions Split(const std::string& implementation) {
  CheckOptions options;
  options.kernel.implementation = implementation;
  options.absolute = 5e-5;
  return options;
}

CheckOptions Exact(float low, float high, const std::string& implementation) {
  CheckOptions options;
  options.low = low;
  options.high = high;
  options.absolute = options.relative = 0;
  options.kernel.implementation = implementation;
  return options;
}

TEST(TiledMatmulTest, SplitFloats) {
  for (const char* shapes :
       {"[16,16] [16,16] [16,16]", "[19,35] [35,41] [19,41]",
        "[33,70] [70,65] [33,65]", "[2,3,17,20] [2,1,20,18] [2,3,17,18]"}) {
    const std::vector<std::string> s = absl::StrSplit(shapes, ' ');
    ExpectRight("graph g(%x: float32" + s[0] + ", %y: float32" + s[1] +
                    ") -> (%1) { %1: float32" + s[2] + " = matmul(%x, %y) }",
                Split("matmul.bf16x3"));
  }
}

TEST(TiledMatmulTest, EveryPairOfBytes) {
  const struct {
    const char *a, *b;
    float low, high;
  } kCases[] = {{"uint8", "int8", 0, 127},
                {"int8", "int8", -128, 127},
                {"uint8", "uint8", 0, 255},
                {"int8", "uint8", 0, 127}};
  for (const auto& c : kCases) {
    ExpectRight(absl::StrCat("graph g(%x: ", c.a, "[19,70], %y: ", c.b,
                             "[70,41]) -> (%1) { %1: int32[19,41] = "
                             "matmul(%x, %y) }"),
                Exact(c.low, c.high, "matmul.tiled_integer"));
  }
}

// Returns points with blocks of different shapes.
std::vector<Config> BlocksOfEverySize() {
  std::vector<Config> configs;
  for (const int64_t mc : {1, 2}) {
    for (const int64_t rows : {16, 32}) {
      configs.push_back(Config()
                            .SetKnob("mr", rows)
                            .SetKnob("nr", 48 - rows)
                            .SetKnob("mc", mc)
                            .SetKnob("nc", 3 - mc)
                            .SetKnob("mg", rows / 16)
                            .SetKnob("share_columns", mc - 1));
    }
  }
  return configs;
}

// Threads get rows as long as there are enough of them, else columns.
TEST(TiledMatmulTest, DefaultBlocks) {
  const auto config = [](int m) {
    const auto graph =
        graph::GraphFromText(absl::StrCat("graph g(%x: uint8[", m,
                                          ",512], %y: int8[512,512]) -> "
                                          "(%1) { %1: int32[",
                                          m, ",512] = matmul(%x, %y) }"));
    return DefaultTiledMatmulConfig(InstanceOf(*graph->outputs()[0].value.node),
                                    *target::Target::Parse(kTarget))
        .ToString();
  };
  EXPECT_EQ(config(512), "mr=32 nr=32 mc=8 nc=16 mg=1 share_columns=0");
  EXPECT_EQ(config(128), "mr=32 nr=32 mc=4 nc=8 mg=1 share_columns=0");
  EXPECT_EQ(config(16), "mr=16 nr=32 mc=1 nc=8 mg=1 share_columns=0");
}

TEST(TiledMatmulTest, BlocksOfEverySize) {
  for (const Config& config : BlocksOfEverySize()) {
    CheckOptions options = Split("matmul.bf16x3");
    options.kernel.config = config;
    ExpectRight(
        "graph g(%x: float32[2,68,70], %y: float32[2,70,37]) -> (%2) {\n"
        "  %1: float32[2,68,37] = matmul(%x, %y)\n"
        "  %2: float32[2,68,37] = relu(%1)\n}",
        options);
  }
}

// Rows of bytes are read where they are, and results are stored where they are.
TEST(TiledMatmulTest, WholeBlocks) {
  for (const Config& config : BlocksOfEverySize()) {
    CheckOptions options = Exact(0, 127, "matmul.tiled_integer");
    options.kernel.config = config;
    ExpectRight(
        "graph g(%x: uint8[2,128,64], %y: int8[2,64,64]) -> (%1) {\n"
        "  %1: int32[2,128,64] = matmul(%x, %y)\n}",
        options);
    ExpectRight(
        "graph g(%x: uint8[128,64], %y: int8[64,64]) -> (%2) {\n"
        "  %1: int32[128,64] = matmul(%x, %y)\n"
        "  %2: int32[128,64] = relu(%1)\n}",
        options);
  }
  ExpectRight(
      "graph g(%x: float32[64,64], %y: float32[64,64]) -> (%1) {\n"
      "  %1: float32[64,64] = matmul(%x, %y)\n}",
      Split("matmul.bf16x3"));
}

TEST(TiledMatmulTest, PackedColumns) {
  const CheckOptions split = Split("dense.bf16x3");
  ExpectRight(
      "graph g(%x: float32[21,40], %w: "
      "float32[33,40]@panels(width=16,depth=64,split=true,transposed=true), "
      "%b: float32[33]) -> (%2) {\n"
      "  %1: float32[21,33] = dense(%x, %w)\n"
      "  %2: float32[21,33] = add(%1, %b)\n}",
      split);
  // Pairs of tiles of columns.
  ExpectRight(
      "graph g(%x: float32[21,70], %w: "
      "float32[64,70]@panels(width=16,depth=96,split=true,transposed=true)) -> "
      "(%1) {\n"
      "  %1: float32[21,64] = dense(%x, %w)\n}",
      split);
  ExpectRight(
      "graph g(%x: uint8[21,70], %w: "
      "int8[33,70]@panels(width=16,depth=128,factors=4,transposed=true), "
      "%b: int32[33], %s: float32[33], %z: uint8[]) -> (%3) {\n"
      "  %1: int32[21,33] = dense(%x, %w)\n"
      "  %2: int32[21,33] = add(%1, %b)\n"
      "  %3: uint8[21,33] = requantize(%2, %s, %z) {axis=1, dtype=uint8}\n}",
      Exact(0, 9, "dense.tiled_integer"));
}

// Panels that no kernel could index are not made.
TEST(TiledMatmulTest, PanelsFitThirtyTwoBits) {
  const auto target = target::Target::Parse(kTarget);
  const auto has_panels = [&](int64_t depth) {
    const graph::TensorType rows = {DType::Float32(), {64, depth}};
    const graph::TensorType result = {DType::Float32(), {64, 64}};
    const OpInstance op(graph::OpKind::kDense, graph::NoAttrs(), {rows, rows},
                        result);
    return !SplitPanels(op, *target).empty();
  };
  EXPECT_TRUE(has_panels(int64_t{1} << 20));
  EXPECT_FALSE(has_panels(int64_t{1} << 25));
}

// Tiles have 16 columns.
TEST(TiledMatmulTest, AppliesToPanelsOfSixteenColumns) {
  const auto target = target::Target::Parse(kTarget);
  ASSERT_TRUE(target.ok()) << target.status();
  for (const int width : {8, 16, 32}) {
    const auto graph = graph::GraphFromText(
        absl::StrCat("graph g(%x: float32[32,64], %w: float32[", 2 * width,
                     ",64]@panels(width=", width,
                     ",depth=64,split=true,transposed=true)) -> (%1) {\n"
                     "  %1: float32[32,",
                     2 * width, "] = dense(%x, %w)\n}"));
    const OpInstance op = InstanceOf(*graph->outputs()[0].value.node);
    EXPECT_EQ(SplitMatmulApplies(op, *target), width == 16) << width;
  }
}

}  // namespace
}  // namespace assay::ops
