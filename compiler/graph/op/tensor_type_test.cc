#include "compiler/graph/op/tensor_type.h"

#include "gtest/gtest.h"

namespace assay::graph {
namespace {

TEST(TensorTypeTest, ParseInvertsToString) {
  for (const char* text :
       {"float32[1,3,224,224]", "int64[]", "bool[0]", "bfloat16[7]",
        "float32[1,64,56,56]@blocks(16)",
        "int8[8,16,3,3]@filters(in=8,out=4,depth=4,dtype=int16)"}) {
    const auto type = TensorType::Parse(text);
    ASSERT_TRUE(type.ok()) << type.status();
    EXPECT_EQ(type->ToString(), text);
  }
}

TEST(TensorTypeTest, RejectsMalformedText) {
  for (const char* text :
       {"", "float32", "float32[", "float32[1", "[1]", "float32[,]",
        "float32[-1]", "float32x4[1]", "float32[1099511627777]",
        "float32[1,6]@blocks(4)", "float32[1,6]@blocks", "float32[1,6]@"}) {
    EXPECT_FALSE(TensorType::Parse(text).ok()) << text;
  }
}

TEST(TensorTypeTest, Sizes) {
  const TensorType type{DType::Int64(), {2, 3}};
  EXPECT_EQ(type.rank(), 2);
  EXPECT_EQ(type.num_elements(), 6);
  EXPECT_EQ(type.num_bytes(), 48);
  // Winograd's algorithm stores 16 numbers for 9.
  const TensorType weights{
      DType::Float32(), {8, 4, 3, 3}, WinogradFilters{2, 8}};
  EXPECT_EQ(weights.num_elements(), 288);
  EXPECT_EQ(weights.num_bytes(), 4 * 16 * 32);
  EXPECT_EQ(weights.stored().shape, (Shape{4, 4, 1, 4, 8}));
  EXPECT_EQ(weights.plain().num_bytes(), 4 * 288);
}

TEST(TensorTypeTest, ImagesOfOnePixelAreInRowMajorOrder) {
  for (const auto& [text, is_row_major] :
       std::vector<std::pair<const char*, bool>>{
           {"float32[2,8,3,1]", true},
           {"float32[2,8,1,1]@blocks(4)", true},
           {"float32[2,8]@blocks(4)", true},
           {"float32[2,8,3,1]@blocks(4)", false},
           {"float32[8,4,1,1]@filters(in=4,out=4)", false}}) {
    EXPECT_EQ(TensorType::Parse(text)->IsRowMajor(), is_row_major) << text;
  }
}

}  // namespace
}  // namespace assay::graph
