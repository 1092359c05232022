#include "suites/correctness/example_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"
#include "suites/correctness/accuracy.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;
using ::testing::Each;
using ::testing::SizeIs;

// Returns the setting of the input `x` of this type if `value` is given for it.
absl::StatusOr<NDArray> Setting(absl::string_view type,
                                const std::string& value) {
  graph::Graph graph("net");
  EXPECT_TRUE(graph.AddInput("x", graph::TensorType::Parse(type).value()).ok());
  const absl::StatusOr<NamedTensors> settings =
      SettingsFromValues({{"x", value}}, graph);
  if (!settings.ok()) return settings.status();
  EXPECT_THAT(*settings, SizeIs(1));
  EXPECT_EQ(settings->at(0).name, "x");
  return settings->at(0).value;
}

TEST(InputSettingsTest, AllElementsHaveTheValue) {
  const struct {
    const char* type;
    const char* value;
    double want;
  } kCases[] = {
      {"int8[2]", "-128", -128},
      {"int16[2]", "32767", 32767},
      {"int32[2]", "-2147483648", -2147483648.0},
      {"int64[]", "16000", 16000},
      {"uint8[2,3]", "255", 255},
      {"uint16[2]", "65535", 65535},
      {"uint32[2]", "4294967295", 4294967295.0},
      {"uint64[2]", "7", 7},
      {"bool[2]", "1", 1},
      {"bool[2]", "0", 0},
      {"float16[2]", "-65504", -65504},
      {"bfloat16[2]", "0.5", 0.5},
      {"float32[2]", "-1.5e3", -1500},
      {"float64[2]", "1e300", 1e300},
  };
  for (const auto& c : kCases) {
    const absl::StatusOr<NDArray> setting = Setting(c.type, c.value);
    ASSERT_TRUE(setting.ok()) << setting.status();
    const graph::TensorType type = {setting->dtype(), setting->shape()};
    EXPECT_EQ(type.ToString(), c.type);
    EXPECT_THAT(AsDoubles(*setting), Each(c.want)) << c.type;
  }
}

// Not all of these integers can be represented as a double.
TEST(InputSettingsTest, IntegersAreExact) {
  const auto odd = Setting("int64[1]", "9007199254740993");
  ASSERT_TRUE(odd.ok()) << odd.status();
  EXPECT_EQ(odd->data<int64_t>()[0], 9007199254740993);
  const auto least = Setting("int64[1]", "-9223372036854775808");
  ASSERT_TRUE(least.ok()) << least.status();
  EXPECT_EQ(least->data<int64_t>()[0], std::numeric_limits<int64_t>::min());
  const auto greatest = Setting("uint64[1]", "18446744073709551615");
  ASSERT_TRUE(greatest.ok()) << greatest.status();
  EXPECT_EQ(greatest->data<uint64_t>()[0],
            std::numeric_limits<uint64_t>::max());
}

TEST(InputSettingsTest, ElementTypeMustHaveTheValue) {
  const struct {
    const char* type;
    const char* value;
  } kCases[] = {
      {"int8", "128"},     {"int8", "-129"},
      {"uint8", "300"},    {"uint8", "-1"},
      {"int16", "32768"},  {"int32", "2147483648"},
      {"int64", "1.5"},    {"int64", "9223372036854775808"},
      {"int64", "1e3"},    {"uint64", "18446744073709551616"},
      {"uint64", "-1"},    {"uint64", "0.5"},
      {"bool", "2"},       {"bool", "-1"},
      {"float16", "7e4"},  {"bfloat16", "1e39"},
      {"float32", "1e39"}, {"float64", "1e309"},
      {"float32", "x"},    {"int32", ""},
  };
  for (const auto& c : kCases) {
    const std::string type = c.type;
    const absl::Status status = Setting(type + "[2]", c.value).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), "`--input_value` for `x` is `" +
                                    std::string(c.value) +
                                    "`, which is not a value of " + type);
  }
}

TEST(InputSettingsTest, InputMustExist) {
  graph::Graph graph("net");
  const absl::Status without =
      SettingsFromValues({{"sr", "1"}}, graph).status();
  EXPECT_EQ(without.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(without.message(),
            "`--input_value` is for `sr`, which is no input of the model; its "
            "inputs are none");
  for (const char* name : {"x", "rate"}) {
    ASSERT_TRUE(graph.AddInput(name, {DType::Int64(), {}}).ok());
  }
  EXPECT_EQ(SettingsFromValues({{"sr", "1"}}, graph).status().message(),
            "`--input_value` is for `sr`, which is no input of the model; its "
            "inputs are `x`, `rate`");
}

TEST(InputSettingsTest, VaryingInputsMustExist) {
  graph::Graph graph("net");
  ASSERT_TRUE(graph.AddInput("ids", {DType::Int64(), {}}).ok());
  EXPECT_TRUE(CheckVaryingInputs({"ids"}, graph).ok());
  EXPECT_EQ(CheckVaryingInputs({"ids", "id"}, graph).message(),
            "`--vary` is for `id`, which is no input of the model; its inputs "
            "are `ids`");
}

TEST(InputSettingsTest, ReplaceInputsOfTheirNames) {
  const NDArray x = NDArray::FromVector<float>({1}, {1});
  const NDArray one = NDArray::FromVector<int64_t>({1}, {1});
  const NDArray two = NDArray::FromVector<int64_t>({1}, {2});
  NamedTensors inputs = {{"x", x}, {"rate", one}};
  ApplySettings({{"rate", two}}, &inputs);
  EXPECT_TRUE(BitwiseEqual(inputs[0].value, x));
  EXPECT_TRUE(BitwiseEqual(inputs[1].value, two));
}

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
