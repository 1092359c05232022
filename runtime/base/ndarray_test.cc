#include "runtime/base/ndarray.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace assay {
namespace {

TEST(NDArrayTest, IsZeroFilledAndAligned) {
  NDArray a(DType::Float32(), {3, 5});
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a.raw()) % NDArray::kAlignment, 0u);
  for (float v : a.data<float>()) EXPECT_EQ(v, 0.0f);
  EXPECT_EQ(a.num_bytes(), 60u);
}

TEST(NDArrayTest, CopiesShareTheBufferAndClonesDoNot) {
  NDArray a = NDArray::FromVector<int32_t>({2}, {1, 2});
  NDArray shared = a;
  NDArray clone = a.Clone();
  a.data<int32_t>()[0] = 7;
  EXPECT_EQ(shared.data<int32_t>()[0], 7);
  EXPECT_EQ(clone.data<int32_t>()[0], 1);
  EXPECT_FALSE(BitwiseEqual(a, clone));
  EXPECT_TRUE(BitwiseEqual(a, shared));
  EXPECT_FALSE(BitwiseEqual(a, a.Reshaped({1, 2})));
}

TEST(NDArrayTest, SupportsScalarsAndEmptyTensors) {
  EXPECT_EQ(NDArray(DType::Int64(), {}).num_elements(), 1);
  NDArray empty(DType::Int64(), {0, 4});
  EXPECT_EQ(empty.num_bytes(), 0u);
  EXPECT_TRUE(BitwiseEqual(empty, empty.Clone()));
}

TEST(NDArrayDeathTest, RejectsAccessWithTheWrongType) {
  NDArray a(DType::Float32(), {1});
  EXPECT_DEATH(a.data<int32_t>(), "check failed");
}

}  // namespace
}  // namespace assay
