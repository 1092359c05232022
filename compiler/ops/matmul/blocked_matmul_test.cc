// Compares blocked products of random odd sizes, with random configurations,
// with the reference interpreter.
#include "compiler/ops/matmul/blocked_matmul.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/matmul/block_sizes.h"
#include "compiler/ops/op_instance.h"
#include "compiler/ops/testing/kernel_check.h"
#include "compiler/target/target.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::ops {
namespace {

// A product with an epilogue.
std::string Text(const std::string& inputs, const std::string& op, int64_t m,
                 int64_t n) {
  const std::string type = absl::StrCat("float32[", m, ",", n, "]");
  return absl::StrCat("graph g(", inputs, ", %b: float32[", n,
                      "]) -> (%3) {\n  %1: ", type, " = ", op, "\n  %2: ", type,
                      " = add(%1, %b)\n  %3: ", type, " = relu(%2)\n}");
}

void ExpectRightWithRandomBlocks(const std::string& text,
                                 const std::string& implementation,
                                 const char* target, Rng& rng) {
  const auto body = graph::GraphFromText(text);
  const OpInstance op = InstanceOf(
      *body->outputs()[0].value.node->inputs()[0].node->inputs()[0].node);
  CheckOptions options;
  options.absolute = 1e-4;
  options.kernel.implementation = implementation;
  options.kernel.config =
      BlockedMatmulSpace(op, CheckTarget(target)).Sample(rng);
  EXPECT_EQ(CheckKernel(*body, target, options), "")
      << target << "\n"
      << options.kernel.config << "\n"
      << text;
}

TEST(BlockedMatmulTest, RandomSizesAndBlocks) {
  Rng rng(20261121);
  for (int round = 0; round < 30; ++round) {
    const int64_t m = rng.UniformInt(8, 70), n = rng.UniformInt(16, 90);
    const int64_t k = rng.UniformInt(8, 90);
    ExpectRightWithRandomBlocks(
        Text(absl::StrCat("%x: float32[", m, ",", k, "], %y: float32[", k, ",",
                          n, "]"),
             "matmul(%x, %y)", m, n),
        "matmul.blocked", kCheckTargets[round % 3], rng);
  }
}

// Leading axes of both operands, of one operand, and with extent 1 in one.
TEST(BlockedMatmulTest, RandomStacks) {
  Rng rng(20261121);
  for (int round = 0; round < 20; ++round) {
    const int64_t m = rng.UniformInt(8, 40), n = rng.UniformInt(16, 50);
    const int64_t k = rng.UniformInt(8, 50);
    const int64_t p = rng.UniformInt(1, 3), q = rng.UniformInt(1, 3);
    const bool one_b = rng.UniformInt(0, 1) > 0;
    const int64_t ap = one_b || rng.UniformInt(0, 1) > 0 ? p : 1;
    const int64_t bq = rng.UniformInt(0, 1) > 0 ? q : 1;
    const std::string b_leading = one_b ? "" : absl::StrCat(p, ",", bq, ",");
    const std::string type =
        absl::StrCat("float32[", p, ",", q, ",", m, ",", n, "]");
    ExpectRightWithRandomBlocks(
        absl::StrCat("graph g(%x: float32[", ap, ",", q, ",", m, ",", k,
                     "], %y: float32[", b_leading, k, ",", n, "], %b: float32[",
                     p, ",", q, ",1,", n, "]) -> (%3) {\n  %1: ", type,
                     " = matmul(%x, %y)\n  %2: ", type,
                     " = add(%1, %b)\n  %3: ", type, " = relu(%2)\n}"),
        "matmul.blocked", kCheckTargets[round % 3], rng);
  }
}

TEST(BlockedMatmulTest, RandomPanelsPackedAhead) {
  Rng rng(20261121);
  for (int round = 0; round < 30; ++round) {
    const char* target = kCheckTargets[round % 3];
    const int64_t lanes = CheckTarget(target).vector_bits() / 32;
    const int64_t width = lanes << rng.UniformInt(0, 3);
    const int64_t panels = rng.UniformInt(1, 4);
    const int64_t m = rng.UniformInt(1, 40);
    const int64_t n = panels * width - rng.UniformInt(0, width - 1);
    const int64_t k = rng.UniformInt(4, 60);
    const int64_t depth = k + rng.UniformInt(0, 9);
    ExpectRightWithRandomBlocks(
        Text(absl::StrCat("%x: float32[", m, ",", k, "], %w: float32[", n, ",",
                          k, "]@panels(width=", width, ",depth=", depth,
                          ",transposed=true)"),
             "dense(%x, %w)", m, n),
        "dense.blocked", target, rng);
  }
}

// 16 blocks of the reduction, each with tiles for the whole result of 2^27
// elements and its partial last panels.
TEST(BlockedMatmulTest, DoesNotApplyBeyond32BitIndices) {
  const auto applies = [](int64_t count) {
    const auto graph = graph::GraphFromText(
        absl::StrCat("graph g(%x: float32[", count,
                     ",2048,8192], %y: float32[8192,2048]) "
                     "-> (%1) {\n  %1: float32[",
                     count, ",2048,2048] = matmul(%x, %y)\n}"));
    return BlockedMatmulApplies(InstanceOf(*graph->outputs()[0].value.node),
                                CheckTarget(kCheckTargets[0]));
  };
  EXPECT_TRUE(applies(31));
  EXPECT_FALSE(applies(32));
}

// Columns that are blocked for the L3 cache are not divided among the threads:
// there may be fewer blocks than threads.
TEST(BlockedMatmulTest, DoesNotParallelizeFewBlocksOfColumns) {
  const target::Target target = CheckTarget(kCheckTargets[0]).WithCores(8);
  const Config wide = DefaultBlocks({1152, 2000, 384}, target, 4, 1);
  EXPECT_EQ(wide.Knob("parallel"), kOverRows) << wide;
  const Config even = DefaultBlocks({1152, 2048, 384}, target, 4, 1);
  EXPECT_EQ(even.Knob("parallel"), kOverColumns) << even;
  EXPECT_EQ(2048 / (even.Knob("nc") * even.Knob("nr")) % 8, 0) << even;
}

// A thread has its own columns, also if the number of threads is unknown.
TEST(BlockedMatmulTest, DividesTheColumnsOfFewRows) {
  const target::Target target = CheckTarget(kCheckTargets[0]);
  for (const int64_t rows : {1, 2, 7}) {
    const MatmulSizes sizes = {rows, 8192, 1024};
    EXPECT_EQ(DefaultBlocks(sizes, target, 4, 1).Knob("parallel"), kOverColumns)
        << rows;
    const Config two = DefaultBlocks(sizes, target.WithCores(2), 4, 1);
    EXPECT_EQ(two.Knob("parallel"), kOverColumns) << rows;
    EXPECT_EQ(two.Knob("nc") * two.Knob("nr"), 4096) << rows;
    EXPECT_EQ(two.Knob("kc"), 1024) << rows;
  }
  const Config small = DefaultBlocks({1, 64, 64}, target.WithCores(2), 4, 1);
  EXPECT_EQ(small.Knob("parallel"), kOverRows);
}

// The tiles are equally large, and the columns are read once by one thread.
TEST(BlockedMatmulTest, DividesRowsIntoEqualTiles) {
  const target::Target target = CheckTarget(kCheckTargets[0]).WithCores(2);
  const Config blocks = DefaultBlocks({8, 8192, 1024}, target, 4, 1);
  const int64_t tiles = (8 + blocks.Knob("mr") - 1) / blocks.Knob("mr");
  EXPECT_EQ(tiles * blocks.Knob("mr"), 8) << blocks;
  EXPECT_EQ(blocks.Knob("mc"), tiles) << blocks;
  EXPECT_EQ(blocks.Knob("parallel"), kOverColumns) << blocks;
}

}  // namespace
}  // namespace assay::ops
