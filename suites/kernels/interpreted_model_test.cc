#include "suites/kernels/interpreted_model.h"

#include "gtest/gtest.h"
#include "suites/references/one_node_model.h"

namespace assay::suites {
namespace {

TEST(InterpretedModelTest, MultipliesMatrices) {
  InterpretedModel model(
      GemmModel({1, 2, 2}),
      {{"b", NDArray::FromVector<float>({2, 2}, {1, 2, 3, 4})},
       {"a", NDArray::FromVector<float>({1, 2}, {10, 1})}});
  EXPECT_FALSE(model.Output().ok());
  ASSERT_TRUE(model.Run().ok());
  EXPECT_TRUE(BitwiseEqual(*model.Output(),
                           NDArray::FromVector<float>({1, 2}, {13, 24})));
}

TEST(InterpretedModelTest, AMissingInputIsNamed) {
  InterpretedModel model(GemmModel({1, 1, 1}),
                         {{"a", NDArray::FromVector<float>({1, 1}, {1})}});
  EXPECT_EQ(model.Run().message(), "input `b` has no value");
}

}  // namespace
}  // namespace assay::suites
