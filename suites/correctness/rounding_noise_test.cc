#include "suites/correctness/rounding_noise.h"

#include <memory>
#include <vector>

#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using testing::ElementsAre;
using testing::Ge;
using testing::Le;

// The variance as a difference of two nearly equal numbers, and a plain sum.
TEST(RoundingNoiseTest, IsLargeWhereDigitsCancel) {
  Model model;
  model.graph = graph::GraphFromText(R"(
      graph g(%x: float32[64]) -> (%5, %6) {
        %1: float32[] = reduce_mean(%x) {axes=[0]}
        %2: float32[64] = multiply(%x, %x)
        %3: float32[] = reduce_mean(%2) {axes=[0]}
        %4: float32[] = multiply(%1, %1)
        %5: float32[] = subtract(%3, %4)
        %6: float32[64] = add(%x, %x)
      })");
  NDArray x(DType::Float32(), {64});
  for (int i = 0; i < 64; ++i) {
    x.data<float>()[i] = 1000.0f + static_cast<float>(i % 2) * 0.01f;
  }
  const auto noise = RoundingNoise(model, {{"x", x}});
  // The variance is 2.5e-5; neighbours of 1e6 have a distance of 0.06, those
  // of 2000 one of 1.2e-4.
  EXPECT_THAT(noise.value(), ElementsAre(Ge(0.03), Le(3e-4)));
}

}  // namespace
}  // namespace assay::suites
