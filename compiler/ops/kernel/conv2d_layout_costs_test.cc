#include "compiler/ops/kernel/conv2d_layout_costs.h"

#include "gtest/gtest.h"

namespace assay::ops {
namespace {

using graph::Conv2dAttrs;
using graph::TensorType;

target::Target Avx2() {
  return *target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3");
}

TensorType Floats(Shape shape) { return {DType::Float32(), std::move(shape)}; }

TEST(Conv2dLayoutCostsTest, ThePreferredOneComesFirst) {
  Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  const TensorType data = Floats({1, 64, 56, 56});
  const TensorType weights = Floats({128, 64, 3, 3});
  const auto preferred = ChooseConv2dLayout(Avx2(), attrs, data, weights, 4);
  const auto costs = Conv2dLayoutCosts(Avx2(), attrs, data, weights, 4);
  ASSERT_TRUE(preferred.has_value());
  ASSERT_GE(costs.size(), 3u);
  EXPECT_EQ(costs[0].layout.in_block, preferred->in_block);
  EXPECT_EQ(costs[0].layout.out_block, preferred->out_block);
  EXPECT_EQ(costs[0].layout.winograd, preferred->winograd);
  for (const Conv2dLayoutCost& cost : costs) {
    EXPECT_GT(cost.seconds, 0);
    EXPECT_EQ(64 % cost.layout.in_block, 0);
    EXPECT_EQ(128 % cost.layout.out_block, 0);
  }
}

TEST(Conv2dLayoutCostsTest, ADepthwiseConvolutionHasNoChoice) {
  Conv2dAttrs attrs;
  attrs.groups = 32;
  const auto costs = Conv2dLayoutCosts(Avx2(), attrs, Floats({1, 32, 56, 56}),
                                       Floats({32, 1, 3, 3}), 4);
  ASSERT_EQ(costs.size(), 1u);
  EXPECT_EQ(costs[0].layout.in_block, 8);
  EXPECT_EQ(costs[0].layout.out_block, 8);
}

TEST(Conv2dLayoutCostsTest, WithoutUsefulVectorsThePlainLayout) {
  const auto costs = Conv2dLayoutCosts(
      Avx2(), Conv2dAttrs(), Floats({1, 3, 8, 8}), Floats({7, 3, 1, 1}), 4);
  ASSERT_EQ(costs.size(), 1u);
  EXPECT_EQ(costs[0].layout.in_block, 0);
}

TEST(Conv2dLayoutCostsTest, ConversionsTakeLongerTheMoreThereIs) {
  EXPECT_LT(LayoutTransformSeconds(Avx2(), Floats({1, 8, 7, 7})),
            LayoutTransformSeconds(Avx2(), Floats({1, 64, 56, 56})));
}

}  // namespace
}  // namespace assay::ops
