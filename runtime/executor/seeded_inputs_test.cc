#include "runtime/executor/seeded_inputs.h"

#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

Artifact TwoInputs(const char* first, const char* second) {
  Artifact a;
  a.tensors = {{second, DType::Float32(), {8}, Location::kInput, 1},
               {first, DType::Float32(), {8}, Location::kInput, 0}};
  return a;
}

TEST(SeededInputsTest, DependsOnSeedAndNumberButNotOnName) {
  const NamedTensors a = SeededInputs(TwoInputs("x", "y"), 1);
  ASSERT_EQ(a.size(), 2u);
  EXPECT_EQ(a[0].name, "x");
  EXPECT_FALSE(BitwiseEqual(a[0].value, a[1].value));
  const NamedTensors renamed = SeededInputs(TwoInputs("p", "q"), 1);
  EXPECT_EQ(renamed[0].name, "p");
  EXPECT_TRUE(BitwiseEqual(renamed[0].value, a[0].value));
  EXPECT_TRUE(BitwiseEqual(renamed[1].value, a[1].value));
  const NamedTensors other = SeededInputs(TwoInputs("x", "y"), 2);
  EXPECT_FALSE(BitwiseEqual(other[0].value, a[0].value));
}

TEST(SeededInputsTest, ValuesAreInRange) {
  const NDArray floats =
      SeededInput(DType::Float32(), {1000}, kDefaultIndexLimit, 0, 1);
  for (float v : floats.data<float>()) {
    EXPECT_GE(v, -1);
    EXPECT_LE(v, 1);
  }
  const NDArray integers =
      SeededInput(DType::Int64(), {1000}, kDefaultIndexLimit, 0, 1);
  for (int64_t v : integers.data<int64_t>()) EXPECT_TRUE(v == 0 || v == 1);
}

}  // namespace
}  // namespace assay::runtime
