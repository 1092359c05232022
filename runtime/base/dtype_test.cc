#include "runtime/base/dtype.h"

#include "gtest/gtest.h"

namespace assay {
namespace {

TEST(DTypeTest, TextRoundTrips) {
  for (const char* text :
       {"float16", "float32", "float64", "bfloat16", "int8", "int16", "int32",
        "int64", "uint8", "uint16", "uint32", "uint64", "bool", "float32x8",
        "int32x16", "boolx4"}) {
    const absl::StatusOr<DType> type = DType::Parse(text);
    ASSERT_TRUE(type.ok()) << type.status();
    EXPECT_EQ(type->ToString(), text);
  }
}

TEST(DTypeTest, RejectsOtherNames) {
  for (const char* text : {"", "float", "float8", "int32x1", "int32x0",
                           "int32x", "int32x4096", "x4", "Float32"}) {
    const absl::StatusOr<DType> type = DType::Parse(text);
    ASSERT_FALSE(type.ok()) << text;
    EXPECT_NE(type.status().message().find("is not a data type"),
              std::string::npos);
  }
}

TEST(DTypeTest, VectorsKeepTheElementType) {
  const DType v = DType::Float32().WithLanes(8);
  EXPECT_TRUE(v.is_vector());
  EXPECT_EQ(v.Element(), DType::Float32());
  EXPECT_EQ(v.bytes(), 4);
  EXPECT_NE(v, DType::Float32());
}

}  // namespace
}  // namespace assay
