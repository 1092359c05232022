#include "suites/kernels/peak/arithmetic.h"

#include <optional>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

TEST(ArithmeticTest, FloatsAreSplitIfTheAlgorithmSplitsThem) {
  for (const char* algorithm :
       {"", "winograd F(4x4)", "conv2d.direct_nchwc", "strassen"}) {
    EXPECT_EQ(FloatArithmetic(algorithm), Arithmetic::kFloat32) << algorithm;
  }
  for (const char* algorithm :
       {"bf16x3", "bf16x3, strassen", "conv2d.bf16x3_nchwc", "matmul.bf16x3"}) {
    EXPECT_EQ(FloatArithmetic(algorithm), Arithmetic::kSplitFloat32)
        << algorithm;
  }
}

TEST(ArithmeticTest, FollowsOperandsAndImplementation) {
  const char* product = "matmul(float32[8,9], float32[9,7]) -> float32[8,7]";
  EXPECT_EQ(ArithmeticOf(product, "matmul.blocked"), Arithmetic::kFloat32);
  EXPECT_EQ(ArithmeticOf(product, "matmul.bf16x3"), Arithmetic::kSplitFloat32);
  EXPECT_EQ(ArithmeticOf("conv2d(float32[1,4,56,56,16], "
                         "bfloat16[4,2,3,3,2,16,16,2]) -> "
                         "float32[1,4,56,56,16] {strides=[1,1]}",
                         "conv2d.bf16x3_nchwc"),
            Arithmetic::kSplitFloat32);
  EXPECT_EQ(ArithmeticOf("relu(float32[8]) -> float32[8]", ""),
            Arithmetic::kFloat32);
  for (const char* bytes : {"matmul(uint8[8,9], int8[9,7]) -> int32[8,7]",
                            "conv2d(int8[8,2,14,14,16], int8[2,1,3,3,1,16]) "
                            "-> int32[8,2,14,14,16] {groups=1}"}) {
    EXPECT_EQ(ArithmeticOf(bytes, "matmul.blocked"), Arithmetic::kBytes);
  }
}

TEST(ArithmeticTest, OtherKernelsHaveNoPeak) {
  for (const char* instance :
       {"", "unknown", "max_pool2d(uint8[1,8,8,8]) -> uint8[1,8,4,4]",
        "add(int32[8], int32[8]) -> int32[8]"}) {
    EXPECT_EQ(ArithmeticOf(instance, ""), std::nullopt) << instance;
  }
}

TEST(ArithmeticTest, ListsRates) {
  EXPECT_EQ(ToString(PeakRates()), "");
  EXPECT_EQ(ToString({{Arithmetic::kFloat32, 90.5},
                      {Arithmetic::kSplitFloat32, 300},
                      {Arithmetic::kBytes, 1700}}),
            "90.5 GFLOP/s float32, 300.0 bf16x3, 1700.0 int8");
}

}  // namespace
}  // namespace assay::suites
