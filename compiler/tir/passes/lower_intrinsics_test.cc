#include "compiler/tir/passes/lower_intrinsics.h"

#include "compiler/tir/passes/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

// For results of up to exp(4), the largest that the inputs produce.
constexpr float kTolerance = 1e-5f;

TEST(LowerIntrinsicsTest, StoresSharedValuesInLocalBuffers) {
  EXPECT_EQ(RunPass(LowerIntrinsics, R"(
func f(in %a: float32[8], out %b: float32[8]) {
  %b[ramp(0, 1, 8)] = exp(%a[ramp(0, 1, 8)])
})",
                    kTolerance),
            R"(func f(in %a: float32[8], out %b: float32[8]) {
  alloc %exp: local float32[8]
  %exp[ramp(0, 1, 8)] = %a[ramp(0, 1, 8)]
  alloc %exp_1: local float32[8]
  %exp_1[ramp(0, 1, 8)] = min(max(%exp[ramp(0, 1, 8)], broadcast(-104f, 8)), broadcast(89f, 8))
  alloc %exp_2: local float32[8]
  %exp_2[ramp(0, 1, 8)] = %exp_1[ramp(0, 1, 8)] * broadcast(1.442695f, 8) + broadcast(12582912f, 8)
  alloc %exp_3: local int32[8]
  %exp_3[ramp(0, 1, 8)] = reinterpret(int32x8, %exp_2[ramp(0, 1, 8)]) - broadcast(1262485504, 8)
  alloc %exp_4: local float32[8]
  %exp_4[ramp(0, 1, 8)] = %exp_2[ramp(0, 1, 8)] - broadcast(12582912f, 8)
  alloc %exp_5: local float32[8]
  %exp_5[ramp(0, 1, 8)] = %exp_1[ramp(0, 1, 8)] - %exp_4[ramp(0, 1, 8)] * broadcast(0.6933594f, 8) - %exp_4[ramp(0, 1, 8)] * broadcast(-0.00021219444f, 8)
  alloc %exp_6: local int32[8]
  %exp_6[ramp(0, 1, 8)] = shift_right(%exp_3[ramp(0, 1, 8)], broadcast(1, 8))
  %b[ramp(0, 1, 8)] = ((((((broadcast(0.00019875691f, 8) * %exp_5[ramp(0, 1, 8)] + broadcast(0.0013981999f, 8)) * %exp_5[ramp(0, 1, 8)] + broadcast(0.008333452f, 8)) * %exp_5[ramp(0, 1, 8)] + broadcast(0.041665796f, 8)) * %exp_5[ramp(0, 1, 8)] + broadcast(0.16666666f, 8)) * %exp_5[ramp(0, 1, 8)] + broadcast(0.5f, 8)) * (%exp_5[ramp(0, 1, 8)] * %exp_5[ramp(0, 1, 8)]) + %exp_5[ramp(0, 1, 8)] + broadcast(1f, 8)) * reinterpret(float32x8, shift_left(%exp_6[ramp(0, 1, 8)] + broadcast(127, 8), broadcast(23, 8))) * reinterpret(float32x8, shift_left(%exp_3[ramp(0, 1, 8)] - %exp_6[ramp(0, 1, 8)] + broadcast(127, 8), broadcast(23, 8)))
}
)");
}

TEST(LowerIntrinsicsTest, GuardsValuesFromArmsOfSelect) {
  EXPECT_EQ(RunPass(LowerIntrinsics, R"(
func f(in %a: float32[8], out %b: float32[9]) {
  for i in [0, 9) {
    %b[i] = select(i < 8, sigmoid(%a[i]), 0f)
  }
})",
                    kTolerance),
            R"(func f(in %a: float32[8], out %b: float32[9]) {
  for i in [0, 9) {
    alloc %sigmoid: local float32[1]
    %sigmoid[0] = select(i < 8, %a[i], 0f)
    alloc %sigmoid_1: local float32[1]
    %sigmoid_1[0] = min(max(abs(%sigmoid[0]) * -1f, -104f), 89f)
    alloc %sigmoid_2: local float32[1]
    %sigmoid_2[0] = %sigmoid_1[0] * 1.442695f + 12582912f
    alloc %sigmoid_3: local int32[1]
    %sigmoid_3[0] = reinterpret(int32, %sigmoid_2[0]) - 1262485504
    alloc %sigmoid_4: local float32[1]
    %sigmoid_4[0] = %sigmoid_2[0] - 12582912f
    alloc %sigmoid_5: local float32[1]
    %sigmoid_5[0] = %sigmoid_1[0] - %sigmoid_4[0] * 0.6933594f - %sigmoid_4[0] * -0.00021219444f
    alloc %sigmoid_6: local int32[1]
    %sigmoid_6[0] = shift_right(%sigmoid_3[0], 1)
    alloc %sigmoid_7: local float32[1]
    %sigmoid_7[0] = ((((((0.00019875691f * %sigmoid_5[0] + 0.0013981999f) * %sigmoid_5[0] + 0.008333452f) * %sigmoid_5[0] + 0.041665796f) * %sigmoid_5[0] + 0.16666666f) * %sigmoid_5[0] + 0.5f) * (%sigmoid_5[0] * %sigmoid_5[0]) + %sigmoid_5[0] + 1f) * reinterpret(float32, shift_left(%sigmoid_6[0] + 127, 23)) * reinterpret(float32, shift_left(%sigmoid_3[0] - %sigmoid_6[0] + 127, 23))
    %b[i] = select(i < 8, select(%sigmoid[0] < 0f, %sigmoid_7[0], 1f) / (%sigmoid_7[0] + 1f), 0f)
  }
}
)");
}

TEST(LowerIntrinsicsTest, LowersNestedCallsAndVectorConditions) {
  RunPass(LowerIntrinsics, R"(
func f(in %a: float32[8], out %b: float32[8]) {
  %b[ramp(0, 1, 8)] = select(ramp(0, 1, 8) < broadcast(4, 8), tanh(sigmoid(%a[ramp(4, 1, 8)])), log(abs(%a[ramp(0, 1, 8)])))
})",
          kTolerance);
}

// The scalar must not be loaded if the condition holds in no lane.
TEST(LowerIntrinsicsTest, GuardsScalarsWithVectorConditions) {
  RunPass(LowerIntrinsics, R"(
func f(in %a: float32[8], out %b: float32[18]) {
  for i in [0, 9) {
    %b[ramp(i * 2, 1, 2)] = select(ramp(i * 2, 1, 2) < broadcast(15, 2), broadcast(sigmoid(%a[i]) + 1f, 2), broadcast(0f, 2))
  }
})",
          kTolerance);
}

TEST(LowerIntrinsicsTest, AllocatesNothingOutsideOfStores) {
  RunPass(LowerIntrinsics, R"(
func f(in %a: float32[8], out %b: float32[8]) {
  for i in [0, 8) {
    if exp(%a[i]) < 2f {
      %b[i] = 1f
    } else {
      %b[i] = 0f
    }
  }
})");
}

TEST(LowerIntrinsicsTest, KeepsOtherIntrinsics) {
  constexpr char kText[] =
      R"(func f(in %a: float32[1], out %b: float32[1]) {
  %b[0] = sqrt(floor(ceil(round(abs(fma(%a[0], %a[0], 1f))))))
}
)";
  EXPECT_EQ(RunPass(LowerIntrinsics, kText), kText);
}

}  // namespace
}  // namespace assay::tir
