#include "compiler/graph/reference/rounding_noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"

namespace assay::graph {
namespace {

constexpr double kEpsilon = std::numeric_limits<float>::epsilon();

// Returns for each output the largest change by noise.
std::vector<double> Changes(const std::string& text,
                            const std::vector<NDArray>& inputs) {
  const auto graph = GraphFromText(text);
  const std::vector<NDArray> exact = Evaluate(*graph, inputs).value();
  std::vector<NDArray> noisy;
  {
    const ScopedRoundingNoise noise(1);
    noisy = Evaluate(*graph, inputs).value();
  }
  EXPECT_TRUE(BitwiseEqual(Evaluate(*graph, inputs).value()[0], exact[0]));
  std::vector<double> changes(exact.size());
  for (size_t i = 0; i < exact.size(); ++i) {
    for (int64_t k = 0; k < exact[i].num_elements(); ++k) {
      changes[i] = std::max(changes[i], std::abs(LoadFloat(noisy[i], k) -
                                                 LoadFloat(exact[i], k)));
    }
  }
  return changes;
}

// A third, so that products and quotients are not exact.
NDArray Thirds(const Shape& shape) {
  NDArray x(DType::Float32(), shape);
  for (float& value : x.data<float>()) value = 4.0f / 3;
  return x;
}

TEST(RoundingNoiseTest, MovesSumsByTheirUsualError) {
  NDArray x(DType::Float32(), {100, 64});
  for (float& value : x.data<float>()) value = 1.0f;
  const std::vector<double> changes = Changes(R"(
      graph g(%x: float32[100,64]) -> (%1, %2) {
        %1: float32[100] = reduce_mean(%x) {axes=[1]}
        %2: float32[6400] = reshape(%x) {shape=[6400]}
      })",
                                              {x});
  EXPECT_GT(changes[0], 6 * kEpsilon);
  EXPECT_LE(changes[0], 8 * kEpsilon);
  EXPECT_EQ(changes[1], 0);
}

TEST(RoundingNoiseTest, MovesApproximatedFunctionsByOneUnit) {
  const std::vector<double> changes =
      Changes(R"(
      graph g(%x: float32[1000]) -> (%1) {
        %1: float32[1000] = exp(%x)
      })",
              {NDArray(DType::Float32(), {1000})});
  EXPECT_GT(changes[0], 0.5 * kEpsilon);
  EXPECT_LE(changes[0], kEpsilon);
}

TEST(RoundingNoiseTest, LeavesResultsThatIeee754Defines) {
  for (const std::string operation :
       {"add(%x, %x)", "subtract(%x, %y)", "divide(%x, %y)", "sqrt(%x)",
        "multiply(%x, %y)", "maximum(%x, %y)", "round(%x)",
        "clip(%x) {min=0, max=1}"}) {
    NDArray y = Thirds({100});
    for (float& value : y.data<float>()) value *= 1.1f;
    EXPECT_EQ(Changes(absl::StrCat("graph g(%x: float32[100], %y: float32[100])"
                                   " -> (%1) { %1: float32[100] = ",
                                   operation, " }"),
                      {Thirds({100}), y})[0],
              0)
        << operation;
  }
}

// Returns the first result with noise.
std::vector<float> NoisyResult(const char* text, const NDArray& x) {
  const auto graph = GraphFromText(text);
  const ScopedRoundingNoise noise(0x9e3779b97f4a7c15);
  const NDArray result = Evaluate(*graph, {x}).value()[0];
  return {result.data<float>().begin(), result.data<float>().end()};
}

TEST(RoundingNoiseTest, FusesAboutHalfOfTheProductsThatAreAdded) {
  const char* const text = R"(
      graph g(%x: float32[1000]) -> (%2) {
        %1: float32[1000] = multiply(%x, %x)
        %2: float32[1000] = subtract(%1, %x)
      })";
  const float x = 4.0f / 3;
  const float fused = std::fma(x, x, -x);
  const volatile float product = x * x;
  const float rounded = product - x;
  ASSERT_NE(fused, rounded);
  int count = 0;
  for (const float result : NoisyResult(text, Thirds({1000}))) {
    EXPECT_TRUE(result == fused || result == rounded) << result;
    count += result == fused;
  }
  EXPECT_GT(count, 400);
  EXPECT_LT(count, 600);
  // The product itself does not change.
  EXPECT_EQ(Changes(R"(
      graph g(%x: float32[1000]) -> (%1, %2) {
        %1: float32[1000] = multiply(%x, %x)
        %2: float32[1000] = subtract(%1, %x)
      })",
                    {Thirds({1000})})[0],
            0);
  // 1.5 * 1.5 is exact.
  NDArray exact(DType::Float32(), {1000});
  for (float& value : exact.data<float>()) value = 1.5f;
  EXPECT_EQ(Changes(text, {exact})[0], 0);
}

// The elements of the product are moved before they are added.
TEST(RoundingNoiseTest, RoundsProductsThatAreAddedLaterToEitherNeighbour) {
  const char* const text = R"(
      graph g(%x: float32[10000]) -> (%1, %4) {
        %1: float32[10000] = multiply(%x, %x)
        %2: float32[100,100] = reshape(%1) {shape=[100,100]}
        %3: float32[100,100] = negate(%2)
        %4: float32[100,100] = add(%3, %3)
      })";
  EXPECT_EQ(Changes(text, {Thirds({10000})})[0], kEpsilon);  // of 16/9
  double sum = 0;
  for (const float value : NoisyResult(text, Thirds({10000}))) {
    sum += value;
  }
  const double third = static_cast<double>(4.0f / 3);
  EXPECT_NEAR(sum / 10000, third * third, 0.03 * kEpsilon);
}

// 1 + 1 - 1 - 1 and so on, beside a sum of 64.
TEST(RoundingNoiseTest, MovesSmallSumsLikeLargeOnes) {
  const auto graph = GraphFromText(R"(
      graph g(%x: float32[2,64]) -> (%1) {
        %1: float32[2] = reduce_sum(%x) {axes=[1]}
      })");
  NDArray x(DType::Float32(), {2, 64});
  for (int64_t i = 0; i < 64; ++i) {
    StoreFloat(x, i, 1);
    StoreFloat(x, 64 + i, i % 2 == 0 ? 1 : -1);
  }
  const ScopedRoundingNoise noise(1);
  const NDArray noisy = Evaluate(*graph, {x}).value()[0];
  EXPECT_NE(LoadFloat(noisy, 1), 0);
  EXPECT_LE(std::abs(LoadFloat(noisy, 1)), 8 * 64 * kEpsilon);
}

TEST(RoundingNoiseTest, MovesOneElementIn12Of16BitTypesToANeighbour) {
  for (const DType type : {DType::Float16(), DType::BFloat16()}) {
    const std::string name = type.ToString();
    const auto graph = GraphFromText(
        absl::StrCat("graph g(%x: ", name, "[1200]) -> (%1) { %1: ", name,
                     "[1200] = add(%x, %x) }"));
    NDArray x(type, {1200});
    for (int64_t i = 0; i < 1200; ++i) StoreFloat(x, i, 0.75);
    const ScopedRoundingNoise noise(0x9e3779b97f4a7c15);
    const NDArray noisy = Evaluate(*graph, {x}).value()[0];
    const double unit = type == DType::Float16() ? 0x1p-10 : 0x1p-7;
    int moved = 0;
    for (int64_t i = 0; i < 1200; ++i) {
      const double units = std::abs(LoadFloat(noisy, i) - 1.5) / unit;
      EXPECT_TRUE(units == 0 || units == 1) << units;
      moved += units == 1;
    }
    EXPECT_GT(moved, 70) << name;
    EXPECT_LT(moved, 130) << name;
  }
}

}  // namespace
}  // namespace assay::graph
