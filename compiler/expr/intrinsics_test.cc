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
  EXPECT_EQ(IntrinsicName(kLastIntrinsic), "dot2_s16");
  EXPECT_EQ(IntrinsicArity(Intrinsic::kBitwiseAnd), 2u);
}

}  // namespace
}  // namespace assay::expr
