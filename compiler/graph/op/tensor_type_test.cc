#include "compiler/graph/op/tensor_type.h"

#include "gtest/gtest.h"

namespace assay::graph {
namespace {

TEST(TensorTypeTest, ParseInvertsToString) {
  for (const char* text :
       {"float32[1,3,224,224]", "int64[]", "bool[0]", "bfloat16[7]"}) {
    const auto type = TensorType::Parse(text);
    ASSERT_TRUE(type.ok()) << type.status();
    EXPECT_EQ(type->ToString(), text);
  }
}

TEST(TensorTypeTest, RejectsMalformedText) {
  for (const char* text :
       {"", "float32", "float32[", "float32[1", "[1]", "float32[,]",
        "float32[-1]", "float32x4[1]", "float32[1099511627777]"}) {
    EXPECT_FALSE(TensorType::Parse(text).ok()) << text;
  }
}

TEST(TensorTypeTest, Sizes) {
  const TensorType type{DType::Int64(), {2, 3}};
  EXPECT_EQ(type.rank(), 2);
  EXPECT_EQ(type.num_elements(), 6);
  EXPECT_EQ(type.num_bytes(), 48);
}

}  // namespace
}  // namespace assay::graph
