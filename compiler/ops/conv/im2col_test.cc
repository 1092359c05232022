#include "compiler/ops/conv/im2col.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/config_space.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::ops {
namespace {

// A convolution in blocks of `block` channels.
OpInstance InBlocks(const graph::Conv2dAttrs& attrs, const Shape& data,
                    const Shape& weights, const Shape& result, int64_t block) {
  graph::FilterBlocks filters;
  filters.in = filters.out = block;
  return OpInstance(graph::OpKind::kConv2d, attrs,
                    {{DType::Float32(), data, graph::ChannelBlocks{block}},
                     {DType::Float32(), weights, filters}},
                    {DType::Float32(), result, graph::ChannelBlocks{block}});
}

// A blocked convolution of random size with a random epilogue.
struct RandomConv {
  explicit RandomConv(Rng& rng) {
    const int64_t k = rng.UniformInt(1, 3), n = rng.UniformInt(1, 2);
    const int64_t ic = rng.UniformInt(1, 4), oc = rng.UniformInt(1, 4);
    const int64_t h = rng.UniformInt(5, 7), w = rng.UniformInt(4, 9);
    attrs.strides = {rng.UniformInt(1, 2), rng.UniformInt(1, 3)};
    attrs.padding = {rng.UniformInt(0, 2), 0, rng.UniformInt(0, 2), 1};
    attrs.dilations = {rng.UniformInt(1, 2), rng.UniformInt(1, 2)};
    const auto extent = [&](int64_t size, int i) {
      const int64_t reach = (k - 1) * attrs.dilations[i] + 1;
      return (size + attrs.padding[i] + attrs.padding[i + 2] - reach) /
                 attrs.strides[i] +
             1;
    };
    op = InBlocks(attrs, {n, 16 * ic, h, w}, {16 * oc, 16 * ic, k, k},
                  {n, 16 * oc, extent(h, 0), extent(w, 1)}, 16);
    epilogue = rng.UniformInt(0, 1) > 0;
  }

  std::string Text() const {
    const std::string y = op.output.ToString();
    return absl::StrCat(
        "graph g(%x: ", op.inputs[0].ToString(),
        ", %w: ", op.inputs[1].ToString(), ", %b: float32[", op.output.shape[1],
        ",1,1]) -> (%", epilogue ? 2 : 1, ") {\n%1: ", y,
        " = conv2d(%x, %w) {strides=[", absl::StrJoin(attrs.strides, ","),
        "], padding=[", absl::StrJoin(attrs.padding, ","), "], dilations=[",
        absl::StrJoin(attrs.dilations, ","), "], groups=1}\n",
        epilogue ? absl::StrCat("%2: ", y, " = add(%1, %b)\n") : "", "}");
  }

  graph::Conv2dAttrs attrs;
  OpInstance op;
  bool epilogue = false;
};

TEST(Im2colTest, RandomConfigurationsOfRandomConvolutions) {
  for (uint64_t seed = 0; seed < 18; ++seed) {
    Rng rng(seed);
    const RandomConv conv(rng);
    const target::Target target = CheckTarget(kCheckTargets[seed % 3]);
    CheckOptions options;
    options.absolute = options.relative = 1e-4;
    options.kernel.implementation = "conv2d.im2col_nchwc";
    options.kernel.config = Im2colSpace(conv.op, target).Sample(rng);
    const auto graph = graph::GraphFromText(conv.Text());
    EXPECT_EQ(CheckKernel(*graph, kCheckTargets[seed % 3], options), "")
        << "seed " << seed << ": " << options.kernel.config << "\n"
        << conv.Text();
  }
}

// 256 to 512 channels, 7 x 7 pixels: the weights of a register tile are larger
// than the first cache, and each of two cores has one task.
TEST(Im2colTest, CutsLongReductionsAndSharesChannelsEvenly) {
  graph::Conv2dAttrs attrs;
  attrs.strides = {2, 2};
  attrs.padding = {1, 1, 1, 1};
  const OpInstance op =
      InBlocks(attrs, {1, 256, 14, 14}, {512, 256, 3, 3}, {1, 512, 7, 7}, 8);
  const auto target = target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -num-cores=2");
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_EQ(DefaultIm2colConfig(op, *target).ToString(),
            "tile_p=5 tile_oc=2 rows=7 ic_parts=8 groups=16 by_row=0");
}

// Taps with dilation 3 over seven rows: two in seven of the rows they read are
// padding.
TEST(Im2colTest, SkipsRowsOfPadding) {
  graph::Conv2dAttrs attrs;
  attrs.padding = {3, 3, 3, 3};
  attrs.dilations = {3, 3};
  const OpInstance op =
      InBlocks(attrs, {1, 32, 7, 7}, {32, 32, 3, 3}, {1, 32, 7, 7}, 16);
  const target::Target target = CheckTarget(kCheckTargets[0]);
  Config config = DefaultIm2colConfig(op, target);
  config.SetKnob("rows", 7).SetKnob("by_row", 1);
  Config along = config;
  along.SetKnob("by_row", 0);
  EXPECT_LT(Im2colSeconds(op, target, config),
            Im2colSeconds(op, target, along));

  CheckOptions options;
  options.absolute = options.relative = 1e-4;
  options.kernel.implementation = "conv2d.im2col_nchwc";
  for (const int64_t parts : {1, 2}) {
    options.kernel.config = config.SetKnob("ic_parts", parts);
    EXPECT_EQ(
        CheckText("graph g(%x: float32[1,32,7,7]@blocks(16), "
                  "%w: float32[32,32,3,3]@filters(in=16,out=16)) -> (%1) {\n"
                  "%1: float32[1,32,7,7]@blocks(16) = conv2d(%x, %w) "
                  "{strides=[1,1], padding=[3,3,3,3], dilations=[3,3], "
                  "groups=1}\n}",
                  options),
        "");
  }
}

}  // namespace
}  // namespace assay::ops
