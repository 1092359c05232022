#include "suites/correctness/perturbed_inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "suites/correctness/accuracy.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;

TEST(PerturbedInputsTest, ShrinksFloatsALittle) {
  const NamedTensors inputs = {
      {"x", NDArray::FromVector<float>({2, 2}, {100, -3, 0, 1e-30f})},
      {"ids", NDArray::FromVector<int64_t>({2}, {5, 9})}};
  const NamedTensors perturbed = PerturbedInputs(inputs, 1);
  ASSERT_EQ(perturbed.size(), 2u);
  EXPECT_EQ(perturbed[0].name, "x");
  EXPECT_EQ(perturbed[0].value.shape(), (Shape{2, 2}));
  const auto before = inputs[0].value.data<float>();
  const auto after = perturbed[0].value.data<float>();
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_LE(std::abs(after[i]), std::abs(before[i]));
    EXPECT_GE(std::abs(after[i]), 0.984f * std::abs(before[i]));
    EXPECT_EQ(std::signbit(after[i]), std::signbit(before[i]));
  }
  EXPECT_NE(after[0], before[0]);
  EXPECT_NE(after[1], before[1]);
  // The ratios differ, so a linear model gives another result.
  EXPECT_NE(after[0] / before[0], after[1] / before[1]);
  EXPECT_TRUE(BitwiseEqual(perturbed[1].value, inputs[1].value));
}

TEST(PerturbedInputsTest, DependsOnlyOnTheSeed) {
  const NamedTensors inputs = {
      {"x", NDArray::FromVector<double>({3}, {1, 2, 3})}};
  EXPECT_TRUE(SameBits(PerturbedInputs(inputs, 1), PerturbedInputs(inputs, 1)));
  EXPECT_FALSE(
      SameBits(PerturbedInputs(inputs, 1), PerturbedInputs(inputs, 2)));
}

TEST(PerturbedInputsTest, KeepsInfinitiesAndNans) {
  const float infinity = std::numeric_limits<float>::infinity();
  const NamedTensors perturbed = PerturbedInputs(
      {{"x", NDArray::FromVector<float>({2}, {-infinity, std::nanf("")})}}, 1);
  EXPECT_EQ(perturbed[0].value.data<float>()[0], -infinity);
  EXPECT_TRUE(std::isnan(perturbed[0].value.data<float>()[1]));
}

TEST(PerturbedInputsTest, ShufflesElementsIfThereAreNoFloats) {
  std::vector<int32_t> ids(100);
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int32_t>(i);
  const NamedTensors inputs = {{"ids", NDArray::FromVector({10, 10}, ids)}};
  const NamedTensors perturbed = PerturbedInputs(inputs, 1);
  const auto elements = perturbed[0].value.data<int32_t>();
  std::vector<int32_t> shuffled(elements.begin(), elements.end());
  EXPECT_NE(shuffled, ids);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, ids);
}

}  // namespace
}  // namespace assay::suites
