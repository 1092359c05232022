#include "suites/correctness/perturbed_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/element.h"
#include "suites/correctness/accuracy.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;

TEST(PerturbedInputsTest, ShrinksFloatsALittle) {
  const NamedTensors inputs = {
      {"x", NDArray::FromVector<float>({2, 2}, {100, -3, 0, 1e-30f})},
      {"ids", NDArray::FromVector<int64_t>({2}, {5, 9})}};
  const NamedTensors perturbed = PerturbedInputs(inputs, {}, 1);
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
  EXPECT_TRUE(
      SameBits(PerturbedInputs(inputs, {}, 1), PerturbedInputs(inputs, {}, 1)));
  EXPECT_FALSE(
      SameBits(PerturbedInputs(inputs, {}, 1), PerturbedInputs(inputs, {}, 2)));
}

TEST(PerturbedInputsTest, KeepsInfinitiesAndNans) {
  const float infinity = std::numeric_limits<float>::infinity();
  const NamedTensors perturbed = PerturbedInputs(
      {{"x", NDArray::FromVector<float>({2}, {-infinity, std::nanf("")})}}, {},
      1);
  EXPECT_EQ(perturbed[0].value.data<float>()[0], -infinity);
  EXPECT_TRUE(std::isnan(perturbed[0].value.data<float>()[1]));
}

template <typename T>
NamedTensors Numbers() {
  std::vector<T> numbers(100);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<T>(i);
  return {{"ids", NDArray::FromVector<T>({10, 10}, numbers)}};
}

template <typename T>
std::vector<T> Elements(const NamedTensors& inputs) {
  const auto elements = inputs[0].value.data<T>();
  return {elements.begin(), elements.end()};
}

TEST(PerturbedInputsTest, KeepsIntegersThatMayBeIndicesOrLengths) {
  const NamedTensors ids = Numbers<int64_t>();
  EXPECT_TRUE(SameBits(PerturbedInputs(ids, {}, 1), ids));
  EXPECT_TRUE(SameBits(PerturbedInputs(ids, {"others"}, 1), ids));
  NamedTensors mask = {{"mask", NDArray(DType::Bool(), {4})}};
  StoreInt(mask[0].value, 2, 1);
  for (uint64_t seed = 1; seed < 10; ++seed) {
    EXPECT_TRUE(SameBits(PerturbedInputs(mask, {}, seed), mask));
  }
}

TEST(PerturbedInputsTest, ShufflesIntegersThatMayVary) {
  NamedTensors inputs = Numbers<int64_t>();
  inputs.push_back({"x", NDArray::FromVector<float>({1}, {3})});
  std::vector<int64_t> shuffled =
      Elements<int64_t>(PerturbedInputs(inputs, {"ids"}, 1));
  EXPECT_NE(shuffled, Elements<int64_t>(inputs));
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, Elements<int64_t>(inputs));
}

TEST(PerturbedInputsTest, ShufflesImagesOfBytes) {
  const NamedTensors image = Numbers<uint8_t>();
  std::vector<uint8_t> shuffled =
      Elements<uint8_t>(PerturbedInputs(image, {}, 1));
  EXPECT_NE(shuffled, Elements<uint8_t>(image));
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, Elements<uint8_t>(image));
}

}  // namespace
}  // namespace assay::suites
