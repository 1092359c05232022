#include "suites/kernels/interpreted_model.h"

#include "gtest/gtest.h"
#include "runtime/measure/session.h"
#include "suites/references/problem.h"

namespace assay::suites {
namespace {

TEST(InterpretedModelTest, MultipliesMatrices) {
  InterpretedModel model(
      GemmModel({1, 2, 2}),
      {{"b", NDArray::FromVector<float>({2, 2}, {1, 2, 3, 4})},
       {"a", NDArray::FromVector<float>({1, 2}, {10, 1})}});
  const auto sample = runtime::RunOnce(model);
  ASSERT_TRUE(sample.ok()) << sample.status();
  EXPECT_TRUE(BitwiseEqual(sample->outputs[0].value,
                           NDArray::FromVector<float>({1, 2}, {13, 24})));
}

TEST(InterpretedModelTest, NamesAMissingInput) {
  InterpretedModel model(GemmModel({1, 1, 1}),
                         {{"a", NDArray::FromVector<float>({1, 1}, {1})}});
  EXPECT_EQ(runtime::RunOnce(model).status().message(),
            "input `b` has no value");
}

}  // namespace
}  // namespace assay::suites
