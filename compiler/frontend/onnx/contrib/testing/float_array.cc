#include "compiler/frontend/onnx/contrib/testing/float_array.h"

#include <cmath>
#include <cstddef>

#include "compiler/frontend/onnx/testing/run_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {

NDArray Eighths(const Shape& shape, uint64_t seed) {
  NDArray array = WholeNumbers(shape, seed);
  for (float& value : array.data<float>()) value *= 0.125f;
  return array;
}

double At(const NDArray& x, const Shape& index) {
  return x.data<float>()[static_cast<size_t>(PlaceOf(index, x.shape()))];
}

std::vector<float> ToFloats(const NDArray& x) {
  return std::vector<float>(x.data<float>().begin(), x.data<float>().end());
}

void ExpectNear(const std::vector<float>& actual,
                const std::vector<float>& expected, float tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], tolerance * (1 + std::abs(expected[i])))
        << i;
  }
}

}  // namespace assay::frontend
