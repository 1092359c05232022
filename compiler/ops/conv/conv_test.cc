// Checks convolutions with groups and dilations, and transposed ones, of random
// odd sizes, against the reference interpreter.
#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/graph/infer/infer_types.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/conv/channel_groups.h"
#include "compiler/ops/testing/kernel_check.h"
#include "compiler/target/target.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"

namespace assay::ops {
namespace {

using graph::OpKind;
using graph::TensorType;

TensorType Float(Shape shape) { return {DType::Float32(), std::move(shape)}; }

// A convolution with an optional bias and relu. The result has blocks of
// `out_block` channels; 0 stands for the plain one.
std::string ConvText(OpKind kind, const graph::Attrs& attrs,
                     const TensorType& data, const TensorType& weights,
                     int64_t out_block, bool epilogue) {
  const auto types = graph::InferTypes(kind, attrs, {data, weights});
  CHECK(types.ok()) << types.status();
  TensorType y = types->front();
  if (out_block > 0) y.encoding = graph::ChannelBlocks{out_block};
  const Shape bias = {y.shape[1], 1, 1};
  const std::string type = y.ToString();
  std::string text = absl::StrCat(
      "graph g(%x: ", data.ToString(), ", %w: ", weights.ToString(),
      ", %b: ", Float(bias).ToString(), ") -> (%", epilogue ? 3 : 1,
      ") {\n  %1: ", type, " = ", graph::OpName(kind), "(%x, %w) ",
      graph::AttrsToString(attrs), "\n");
  if (epilogue) {
    absl::StrAppend(&text, "  %2: ", type, " = add(%1, %b)\n  %3: ", type,
                    " = relu(%2)\n");
  }
  return text + "}";
}

void ExpectRight(const std::string& text, int round) {
  CheckOptions options;
  options.absolute = 1e-4;
  EXPECT_EQ(CheckKernel(*graph::GraphFromText(text), kCheckTargets[round % 3],
                        options),
            "")
      << "round " << round << "\n"
      << text;
}

// Channels of a group and of a block, one of which divides the other.
struct Channels {
  int64_t groups, group, block;
};

Channels RandomChannels(Rng& rng, int64_t groups) {
  const int64_t small = int64_t{1} << rng.UniformInt(0, 3);
  const int64_t times = int64_t{1} << rng.UniformInt(0, 2);
  if (rng.UniformInt(0, 1) > 0) return {groups, small * times, small};
  // A block of several groups; its size divides the number of groups.
  const int64_t together = std::min(times, groups & -groups);
  return {groups, small, small * together};
}

// One or two images of `height` to `height` + 2 rows and up to `width` columns.
TensorType BlockedData(Rng& rng, const Channels& c, int64_t height,
                       int64_t width) {
  const int64_t n = rng.UniformInt(1, 2),
                h = rng.UniformInt(height, height + 2);
  const int64_t w = rng.UniformInt(4, width);
  return {DType::Float32(),
          {n, c.groups * c.group, h, w},
          graph::ChannelBlocks{c.block}};
}

// Windows of at most `most` by `most`. `transposed` is true for a
// conv2d_transpose.
TensorType BlockedWeights(Rng& rng, const Channels& in, const Channels& out,
                          int64_t most, bool transposed) {
  const int64_t kh = rng.UniformInt(1, most), kw = rng.UniformInt(1, most);
  graph::FilterBlocks filters;
  filters.in = in.block;
  filters.out = out.block;
  Shape shape = {out.groups * out.group, in.group, kh, kw};
  if (transposed) {
    filters.transposed_groups = in.groups;
    shape = {in.groups * in.group, out.group, kh, kw};
  }
  return {DType::Float32(), shape, filters};
}

TEST(ConvTest, GroupsInBlocksAndBlocksInGroups) {
  Rng rng(20261121);
  for (int round = 0; round < 36; ++round) {
    graph::Conv2dAttrs attrs;
    attrs.groups = rng.UniformInt(1, 6);
    const Channels in = RandomChannels(rng, attrs.groups);
    const Channels out = RandomChannels(rng, attrs.groups);
    attrs.strides = {rng.UniformInt(1, 2), rng.UniformInt(1, 2)};
    attrs.dilations = {rng.UniformInt(1, 3), rng.UniformInt(1, 2)};
    attrs.padding = {rng.UniformInt(0, 2), rng.UniformInt(0, 2),
                     rng.UniformInt(0, 1), rng.UniformInt(0, 2)};
    const TensorType data = BlockedData(rng, in, 7, 19);
    const TensorType weights =
        BlockedWeights(rng, in, out, 3, /*transposed=*/false);
    ExpectRight(ConvText(OpKind::kConv2d, attrs, data, weights, out.block,
                         round % 2 == 0),
                round);
  }
}

TEST(ConvTest, PlainOnesOfOddSizes) {
  Rng rng(20261121);
  for (int round = 0; round < 24; ++round) {
    graph::Conv2dAttrs attrs;
    attrs.groups = rng.UniformInt(1, 3);
    attrs.strides = {rng.UniformInt(1, 2), rng.UniformInt(1, 2)};
    attrs.dilations = {rng.UniformInt(1, 2), rng.UniformInt(1, 3)};
    attrs.padding = {rng.UniformInt(0, 2), rng.UniformInt(0, 2),
                     rng.UniformInt(0, 1), rng.UniformInt(0, 2)};
    const int64_t in = rng.UniformInt(1, 3), out = rng.UniformInt(1, 9);
    const TensorType data =
        Float({round % 2 + 1, attrs.groups * in, 5 + round % 5, 7 + round});
    const int64_t kh = rng.UniformInt(1, 3), kw = rng.UniformInt(1, 3);
    const TensorType weights = Float({attrs.groups * out, in, kh, kw});
    ExpectRight(ConvText(OpKind::kConv2d, attrs, data, weights, /*out_block=*/0,
                         round % 2 == 0),
                round);
  }
}

TEST(ConvTest, TransposedByPhases) {
  Rng rng(20261121);
  for (int round = 0; round < 36; ++round) {
    graph::Conv2dTransposeAttrs attrs;
    attrs.groups = rng.UniformInt(0, 2) > 0 ? 1 : rng.UniformInt(2, 4);
    const Channels in = RandomChannels(rng, attrs.groups);
    const Channels out = RandomChannels(rng, attrs.groups);
    attrs.strides = {rng.UniformInt(1, 3), rng.UniformInt(1, 3)};
    attrs.dilations = {rng.UniformInt(1, 2), rng.UniformInt(1, 3)};
    attrs.padding = {rng.UniformInt(0, 3), rng.UniformInt(0, 2),
                     rng.UniformInt(0, 1), rng.UniformInt(0, 2)};
    attrs.output_padding = {rng.UniformInt(0, 1), rng.UniformInt(0, 2)};
    const TensorType data = BlockedData(rng, in, 4, 11);
    const TensorType weights =
        BlockedWeights(rng, in, out, 4, /*transposed=*/true);
    ExpectRight(ConvText(OpKind::kConv2dTranspose, attrs, data, weights,
                         out.block, round % 2 == 0),
                round);
  }
}

TEST(ConvTest, ChosenBlocksNeverCutGroups) {
  for (const char* text : kCheckTargets) {
    const auto target = target::Target::Parse(text);
    CHECK(target.ok()) << target.status();
    for (const int64_t groups : {1, 2, 3, 8, 32, 96}) {
      for (const int64_t in : {1, 3, 4, 8, 24, 40}) {
        for (const int64_t out : {1, 2, 4, 12, 16, 48}) {
          const auto blocks =
              ChooseChannelBlocks(*target, groups * in, groups * out, groups);
          if (!blocks.has_value()) continue;
          const int64_t ib = blocks->in, ob = blocks->out;
          EXPECT_TRUE(in % ib == 0 || ib % in == 0) << in << " " << ib;
          EXPECT_TRUE(out % ob == 0 || ob % out == 0) << out << " " << ob;
          EXPECT_EQ(groups * in % ib, 0);
          EXPECT_EQ(groups * out % ob, 0);
        }
      }
    }
    // 32 groups of 4 channels: blocks of several groups, vectors of 4.
    EXPECT_TRUE(ChooseChannelBlocks(*target, 128, 128, 32).has_value());
    // Two filters per group fill no vector.
    EXPECT_FALSE(ChooseChannelBlocks(*target, 64, 64, 32).has_value());
  }
}

}  // namespace
}  // namespace assay::ops
