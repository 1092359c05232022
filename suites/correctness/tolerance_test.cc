#include "suites/correctness/tolerance.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

// 1000 floats from 0 to 255, so that a step is 1.
NDArray Reference() {
  NDArray reference(DType::Float32(), {1000});
  reference.data<float>()[999] = 255;
  return reference;
}

constexpr double kUsual = 0.0255;  // of Reference()

TEST(ToleranceTest, UsualToleranceIsRelativeToTheLargestElement) {
  EXPECT_NEAR(Tolerance(Reference(), {}).usual(), kUsual, 1e-9);
  EXPECT_NEAR(Tolerance(Reference(), {}).Allowed(0), kUsual, 1e-9);
  // There is no absolute bound: small outputs are compared as large ones.
  const NDArray small = NDArray::FromVector<float>({1}, {1e-20f});
  EXPECT_NEAR(Tolerance(small, {}).usual(), 1e-24, 1e-27);
}

TEST(ToleranceTest, ExactOutputsHaveNone) {
  OutputRule rule;
  rule.exact = true;
  rule.noise = {1};
  EXPECT_LE(Tolerance(Reference(), rule).Allowed(0),
            std::numeric_limits<float>::min());
}

TEST(ToleranceTest, NoiseAllowsEightTimesTheChangesInEightTimesTheElements) {
  OutputRule rule;
  rule.noise = {1, 0.5, 1e-9};
  const Tolerance tolerance(Reference(), rule);
  EXPECT_EQ(tolerance.Allowed(0), 8);
  EXPECT_EQ(tolerance.Allowed(7), 8);
  EXPECT_EQ(tolerance.Allowed(8), 4);
  EXPECT_EQ(tolerance.Allowed(15), 4);
  EXPECT_EQ(tolerance.Allowed(16), tolerance.usual());
  EXPECT_EQ(tolerance.Allowed(24), tolerance.usual());
  EXPECT_THAT(tolerance.Describe(),
              HasSubstr("changes 3 of 1000 elements by up to 1.0e+00, so "
                        "errors of up to 8.0e+00 instead of"));
}

TEST(ToleranceTest, NoiseAllowsAtMost16Steps) {
  OutputRule rule;
  rule.noise = std::vector<double>(1000, 1000);
  const Tolerance tolerance(Reference(), rule);
  EXPECT_EQ(tolerance.Allowed(0), 16);
  EXPECT_EQ(tolerance.mean(), 2);
  EXPECT_THAT(tolerance.Describe(), HasSubstr("limited by the range"));
}

TEST(ToleranceTest, FewElementsMayJump) {
  OutputRule rule;
  rule.noise = std::vector<double>(1000, 100);
  rule.jumps = true;
  const Tolerance tolerance(Reference(), rule);
  EXPECT_EQ(tolerance.Allowed(9), 150);
  EXPECT_EQ(tolerance.Allowed(10), 16);
  // One of a few elements may jump only behind an operator that rounds.
  const NDArray few = NDArray::FromVector<float>({2}, {0, 255});
  EXPECT_EQ(Tolerance(few, rule).Allowed(0), 150);
  rule.jumps = false;
  EXPECT_EQ(Tolerance(few, rule).Allowed(0), 16);
  EXPECT_EQ(Tolerance(Reference(), rule).Allowed(0), 16);
  rule.noise.resize(10);
  EXPECT_EQ(Tolerance(Reference(), rule).Allowed(0), 150);
}

TEST(ToleranceTest, NoiseCannotExceedTheDifferenceOfTwoRuntimes) {
  OutputRule rule;
  rule.noise = {1};
  rule.agreement = 0.5 / 255;
  EXPECT_NEAR(Tolerance(Reference(), rule).Allowed(0), 4, 1e-6);
  EXPECT_THAT(Tolerance(Reference(), rule).Describe(),
              HasSubstr("limited by the agreement with another runtime"));
  rule.agreement = 1e-7;
  EXPECT_NEAR(Tolerance(Reference(), rule).Allowed(0), 8 * kUsual, 1e-6);
  rule.agreement = 0;
  EXPECT_NEAR(Tolerance(Reference(), rule).Allowed(0), kUsual, 1e-6);
}

TEST(ToleranceTest, ADifferenceOfEqualSumsMayBeTiny) {
  OutputRule rule;
  const NDArray zero(DType::Float32(), {10});
  EXPECT_LE(Tolerance(zero, rule).Allowed(0),
            std::numeric_limits<float>::min());
  rule.noise = std::vector<double>(10, 1e-7);
  EXPECT_EQ(Tolerance(zero, rule).Allowed(9), 8e-7);
  rule.noise = std::vector<double>(10, 1);
  EXPECT_EQ(Tolerance(zero, rule).Allowed(9), kAbsoluteBound);
}

TEST(ToleranceTest, IntegersMayDifferByTwiceTheirChange) {
  const NDArray reference = NDArray::FromVector<int8_t>({3}, {-1, 2, 3});
  OutputRule rule;
  rule.in_steps = true;
  EXPECT_EQ(Tolerance(reference, rule).Allowed(0), 0);
  rule.noise = {1};
  EXPECT_EQ(Tolerance(reference, rule).Allowed(0), 2);
  rule.agreement = 0;
  EXPECT_EQ(Tolerance(reference, rule).Allowed(0), 1);
}

}  // namespace
}  // namespace assay::suites
