#include "compiler/graph/encoding/encoding.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/encoding/encode.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"
#include "runtime/base/random.h"

namespace assay::graph {
namespace {

using ::testing::HasSubstr;

// An encoding, plain arrays, and their stored forms.
struct Case {
  const char* encoding;
  ArrayType plain;
  ArrayType stored;
  double tolerance = 0;  // of restored numbers
};

const DType kFloat = DType::Float32(), kByte = DType::Int(8);

const Case kCases[] = {
    {"plain()", {kFloat, {3, 5}}, {kFloat, {3, 5}}},
    {"blocks(4)", {kFloat, {2, 12, 5, 7}}, {kFloat, {2, 3, 5, 7, 4}}},
    {"blocks(3)", {kByte, {1, 3}}, {kByte, {1, 1, 3}}},
    {"filters(in=3,out=4)",
     {kFloat, {8, 6, 3, 1}},
     {kFloat, {2, 2, 3, 1, 3, 4}}},
    // A depthwise convolution has one channel for each filter.
    {"filters(in=8,out=8)",
     {kFloat, {16, 1, 3, 3}},
     {kFloat, {2, 1, 3, 3, 1, 8}}},
    {"filters(in=8,out=4,depth=4,dtype=int16)",
     {kByte, {8, 16, 1, 3}},
     {DType::Int(16), {2, 2, 1, 3, 2, 4, 4}}},
    {"filters(in=3,out=5,transposed_groups=2)",
     {kFloat, {6, 5, 3, 3}},
     {kFloat, {2, 1, 3, 3, 3, 5}}},
    {"split_filters()",
     {kFloat, {16, 35, 3, 2}},
     {DType::BFloat16(), {1, 2, 3, 2, 2, 16, 16, 2}},
     1e-5},
    {"split_filters(7)",
     {kFloat, {32, 3, 5, 7}},
     {DType::BFloat16(), {2, 1, 5, 1, 2, 16, 16, 2}},
     1e-5},
    {"winograd(m=2,block=4)",
     {kFloat, {8, 5, 3, 3}},
     {kFloat, {4, 4, 2, 5, 4}},
     1e-6},
    {"winograd(m=4,block=8)",
     {kFloat, {8, 5, 3, 3}},
     {kFloat, {6, 6, 1, 5, 8}},
     1e-5},
    {"winograd(m=6,block=2)",
     {kFloat, {6, 1, 3, 3}},
     {kFloat, {8, 8, 3, 1, 2}},
     1e-5},
    {"column_major()", {kFloat, {7, 13}}, {kFloat, {13, 7}}},
    {"panels(width=8,depth=9)", {kFloat, {7, 13}}, {kFloat, {2, 9, 8}}},
    {"panels(width=8,depth=9,transposed=true)",
     {kFloat, {13, 7}},
     {kFloat, {2, 9, 8}}},
    {"panels(width=4,depth=8,factors=4,dtype=int16)",
     {kByte, {7, 13}},
     {DType::Int(16), {4, 2, 4, 4}}},
    {"panels(width=4,depth=8,factors=2,transposed=true)",
     {kByte, {13, 7}},
     {kByte, {4, 4, 4, 2}}},
    {"panels(width=16,depth=64,split=true)",
     {kFloat, {33, 17}},
     {DType::BFloat16(), {2, 2, 2, 16, 16, 2}},
     1e-5},
    {"panels(width=16,depth=64,split=true,transposed=true)",
     {kFloat, {17, 33}},
     {DType::BFloat16(), {2, 2, 2, 16, 16, 2}},
     1e-5},
};

NDArray Random(const ArrayType& type) {
  NDArray x(type.dtype, type.shape);
  Rng rng(7);
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    if (type.dtype.is_float()) {
      StoreFloat(x, i, rng.UniformFloat(-1, 1));
    } else {
      StoreInt(x, i, rng.UniformInt(-128, 127));
    }
  }
  return x;
}

TEST(EncodingTest, TextIsRead) {
  for (const Case& c : kCases) {
    const auto encoding = ParseEncoding(c.encoding);
    ASSERT_TRUE(encoding.ok()) << encoding.status();
    EXPECT_EQ(ToString(*encoding), c.encoding);
    EXPECT_EQ(*ParseEncoding(ToString(*encoding)), *encoding);
  }
  for (const char* text : {"", "blocks", "blocks(x)", "blocks(4", "cubes(4)",
                           "filters(4)", "filters(in=4,height=4)"}) {
    EXPECT_THAT(ParseEncoding(text).status().message(),
                HasSubstr(std::string("`") + text + "` is not an encoding"));
  }
}

// Texts come from files: logs of the tuner, reproducers.
TEST(EncodingTest, RejectsWhatCannotBeStored) {
  const ArrayType matrix = {kFloat, {7, 13}}, bytes = {kByte, {8, 16, 1, 3}};
  const ArrayType filters = {kFloat, {8, 16, 3, 3}};
  const struct {
    const char* encoding;
    ArrayType plain;
  } kHostile[] = {
      {"panels(width=9223372036854775807,depth=7)", matrix},
      {"panels(width=2147483648,depth=9223372036854775807)", matrix},
      {"panels(width=16,depth=1048576,split=true)",
       {kFloat, {1048576, 1048576}}},
      {"panels(width=0,depth=7)", matrix},
      {"panels(width=-8,depth=7)", matrix},
      {"panels(width=8,depth=7,factors=7,dtype=int16)", matrix},
      {"filters(in=8,out=4,depth=4,dtype=float16)", bytes},
      {"filters(in=8,out=4,depth=4,dtype=uint8)", bytes},
      {"filters(in=8,out=4,depth=-4)", bytes},
      {"filters(in=9223372036854775807,out=9223372036854775807)", filters},
      {"filters(in=8,out=8,transposed_groups=9223372036854775807)", filters},
      {"winograd(m=9223372036854775807,block=8)", filters},
      {"winograd(m=4,block=0)", filters},
      {"split_filters(9223372036854775807)", filters},
      {"blocks(0)", filters},
      {"blocks(9223372036854775807)", filters},
  };
  for (const auto& c : kHostile) {
    const auto encoding = ParseEncoding(c.encoding);
    ASSERT_TRUE(encoding.ok()) << encoding.status();
    EXPECT_FALSE(StoredType(*encoding, c.plain).ok()) << c.encoding;
  }
}

TEST(EncodingTest, DecodedArraysAreThoseThatWereEncoded) {
  for (const Case& c : kCases) {
    const Encoding encoding = *ParseEncoding(c.encoding);
    const auto type = StoredType(encoding, c.plain);
    ASSERT_TRUE(type.ok()) << c.encoding << ": " << type.status();
    EXPECT_EQ(*type, c.stored) << c.encoding << ShapeToString(type->shape);
    const NDArray plain = Random(c.plain);
    const auto stored = Encode(plain, encoding);
    ASSERT_TRUE(stored.ok()) << stored.status();
    EXPECT_EQ((ArrayType{stored->dtype(), stored->shape()}), c.stored);
    const auto decoded = Decode(*stored, encoding, c.plain);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    if (c.tolerance == 0) {
      EXPECT_TRUE(BitwiseEqual(*decoded, plain)) << c.encoding;
      continue;
    }
    for (int64_t i = 0; i < plain.num_elements(); ++i) {
      ASSERT_NEAR(LoadFloat(*decoded, i), LoadFloat(plain, i), c.tolerance)
          << c.encoding;
    }
  }
}

TEST(EncodingTest, ElementsAreWhereTheHeadersSay) {
  NDArray filters(kFloat, {4, 6, 1, 2});
  for (int64_t i = 0; i < 48; ++i) StoreFloat(filters, i, double(i));
  const NDArray stored = *Encode(filters, FilterBlocks{3, 2});
  // [O/2,C/3,1,2,3,2]: filter 3, channel 4, column 1.
  EXPECT_EQ(LoadFloat(stored, (((1 * 2 + 1) * 2 + 1) * 3 + 1) * 2 + 1),
            (3 * 6 + 4) * 2 + 1);
  const NDArray panels = *Encode(filters.Reshaped({6, 8}), Panels{3, 7});
  // [3,7,3]: row 5, column 7; then a row and a column that were added.
  EXPECT_EQ(LoadFloat(panels, (2 * 7 + 5) * 3 + 1), 5 * 8 + 7);
  EXPECT_EQ(LoadFloat(panels, (2 * 7 + 6) * 3 + 1), 0);
  EXPECT_EQ(LoadFloat(panels, (2 * 7 + 5) * 3 + 2), 0);
}

TEST(EncodingTest, TypesThatDoNotFitAreRejected) {
  for (const auto& [text, plain] : std::vector<std::pair<const char*, Shape>>{
           {"blocks(4)", {1, 6, 2, 2}},
           {"blocks(0)", {1, 6, 2, 2}},
           {"blocks(4)", {8}},
           {"filters(in=4,out=4)", {4, 6, 3, 3}},
           {"filters(in=4,out=4,dtype=int16)", {4, 4, 3, 3}},
           {"filters(in=6,out=4,depth=4)", {4, 6, 3, 3}},
           {"filters(in=4,out=4,transposed_groups=3)", {4, 4, 3, 3}},
           {"split_filters()", {8, 4, 3, 3}},
           {"split_filters(2)", {16, 4, 3, 3}},
           {"winograd(m=3,block=4)", {4, 4, 3, 3}},
           {"winograd(m=4,block=4)", {4, 4, 5, 5}},
           {"winograd(m=4,block=3)", {4, 4, 3, 3}},
           {"panels(width=4,depth=3)", {4, 4}},
           {"panels(width=4,depth=6,factors=4)", {4, 4}},
           {"panels(width=4,depth=16,split=true)", {4, 4}},
           {"panels(width=4,depth=4)", {4, 4, 4}}}) {
    EXPECT_FALSE(StoredType(*ParseEncoding(text), {kFloat, plain}).ok())
        << text << ShapeToString(plain);
  }
  EXPECT_THAT(
      Decode(NDArray(kFloat, {2, 3}), ChannelBlocks{3}, {kFloat, {2, 3}})
          .status()
          .message(),
      HasSubstr("float32[2,3] is not float32[2,3]@blocks(3)"));
}

}  // namespace
}  // namespace assay::graph
