#include "compiler/expr/intrinsics.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace assay::expr {
namespace {

int64_t Dot(Intrinsic intrinsic, int32_t c, uint32_t a, uint32_t b) {
  const DotFactors* factors = FindDotFactors(intrinsic);
  EXPECT_NE(factors, nullptr);
  return EvaluateDot(*factors, c, static_cast<int32_t>(a),
                     static_cast<int32_t>(b));
}

TEST(IntrinsicsTest, DotProductsAreExact) {
  // The bytes of the first operand are 1, 2, 3 and 4, lowest first.
  EXPECT_EQ(Dot(Intrinsic::kDot4U8S8, 5, 0x04030201, 0x01010101), 15);
  EXPECT_EQ(Dot(Intrinsic::kDot4U8S8, 0, 0xff, 0x80), 255 * -128);
  EXPECT_EQ(Dot(Intrinsic::kDot4S8S8, 0, 0xff, 0x80), 128);
  EXPECT_EQ(Dot(Intrinsic::kDot4U8U8, 0, 0xff, 0x80), 255 * 128);
  // Exceeds the range of an int16 sum of two products.
  EXPECT_EQ(Dot(Intrinsic::kDot4U8S8, 0, 0xffffffff, 0x7f7f7f7f),
            4 * 255 * 127);
  EXPECT_EQ(Dot(Intrinsic::kDot2S16, 7, 0x0002ffff, 0x00030004), 7 + 6 - 4);
}

TEST(IntrinsicsTest, SumsWrapAround) {
  EXPECT_EQ(Dot(Intrinsic::kDot4U8U8, INT32_MAX, 1, 1), INT32_MIN);
  EXPECT_EQ(Dot(Intrinsic::kDot2S16, 0, 0x80008000, 0x80008000), INT32_MIN);
}

TEST(IntrinsicsTest, OtherIntrinsicsHaveNoDotFactors) {
  EXPECT_EQ(FindDotFactors(Intrinsic::kFma), nullptr);
  EXPECT_EQ(FindDotFactors(Intrinsic::kTileDot4U8S8), nullptr);
  EXPECT_EQ(IntrinsicName(kLastIntrinsic), "tile_dot2_bf16");
  EXPECT_EQ(IntrinsicArity(Intrinsic::kBitwiseAnd), 2u);
}

TEST(IntrinsicsTest, TileProductsHaveFactors) {
  const DType s8 = DType::Int(8), u8 = DType::UInt(8), s32 = DType::Int32();
  const DType bf16 = DType::BFloat16();
  const struct {
    Intrinsic intrinsic;
    DType a, b, sum;
    int depth;
  } kCases[] = {
      {Intrinsic::kTileDot4U8S8, u8, s8, s32, 4},
      {Intrinsic::kTileDot4S8S8, s8, s8, s32, 4},
      {Intrinsic::kTileDot4S8U8, s8, u8, s32, 4},
      {Intrinsic::kTileDot4U8U8, u8, u8, s32, 4},
      {Intrinsic::kTileDot2BF16, bf16, bf16, DType::Float32(), 2},
  };
  for (const auto& c : kCases) {
    const TileFactors* factors = FindTileFactors(c.intrinsic);
    ASSERT_NE(factors, nullptr) << IntrinsicName(c.intrinsic);
    EXPECT_EQ(factors->a, c.a) << IntrinsicName(c.intrinsic);
    EXPECT_EQ(factors->b, c.b) << IntrinsicName(c.intrinsic);
    EXPECT_EQ(factors->sum, c.sum) << IntrinsicName(c.intrinsic);
    EXPECT_EQ(factors->depth(), c.depth) << IntrinsicName(c.intrinsic);
    EXPECT_EQ(IntrinsicArity(c.intrinsic), 3u) << IntrinsicName(c.intrinsic);
  }
}

TEST(IntrinsicsTest, OtherIntrinsicsHaveNoTileFactors) {
  EXPECT_EQ(FindTileFactors(Intrinsic::kFma), nullptr);
  EXPECT_EQ(FindTileFactors(Intrinsic::kDot4U8S8), nullptr);
  EXPECT_EQ(FindTileFactors(Intrinsic::kReinterpret), nullptr);
}

}  // namespace
}  // namespace assay::expr
