#include "suites/kernels/roofline.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

constexpr Arithmetic kFloat32 = Arithmetic::kFloat32;

MachinePeak Machine() {
  MachinePeak peak;
  peak.gflops = {{1, 100}};
  peak.byte_gops = {{1, 1600}};
  peak.bandwidths = {{"L1", 16 << 10, 1, 400, 200},
                     {"L2", 512 << 10, 1, 100, 50},
                     {"DRAM", 128 << 20, 1, 10, 5}};
  return peak;
}

TEST(RooflineTest, BoundByArithmetic) {
  // A rate of 80 GFLOP/s on 16 KiB of data.
  const auto line =
      RooflineOf(Machine(), kFloat32, 1, 80'000'000, 16 << 10, 1e-3);
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->ToString(),
            "80.0 nominal GFLOP/s, 80.0 % of the peak of float32 vectors; 0.0 "
            "GB/s, 0.0 % of the L1 bandwidth\nbound by arithmetic, of which "
            "this is 80.0 %");
}

TEST(RooflineTest, PeakIsThatOfTheArithmetic) {
  const auto line =
      RooflineOf(Machine(), Arithmetic::kBytes, 1, 80'000'000, 16 << 10, 1e-3);
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->peak_percent, 5);
  EXPECT_THAT(line->ToString(),
              testing::HasSubstr("5.0 % of the peak of products of bytes"));
  // The machine has no bfloat16 tile products.
  EXPECT_FALSE(
      RooflineOf(Machine(), Arithmetic::kSplitFloat32, 1, 1, 1, 1).has_value());
}

TEST(RooflineTest, BoundByTheLevelThatHoldsTheData) {
  const auto memory =
      RooflineOf(Machine(), kFloat32, 1, 1'000'000, 500'000'000, 0.1);
  ASSERT_TRUE(memory.has_value());
  EXPECT_EQ(memory->level, "DRAM");
  EXPECT_TRUE(memory->bound_by_memory);
  EXPECT_NEAR(memory->percent, 50, 1e-9);
  EXPECT_EQ(RooflineOf(Machine(), kFloat32, 1, 1, 100 << 10, 1)->level, "L2");
}

TEST(RooflineTest, ReturnsNulloptWithoutAMeasuredPeak) {
  EXPECT_FALSE(RooflineOf(Machine(), kFloat32, 2, 1, 1, 1).has_value());
  EXPECT_FALSE(RooflineOf(MachinePeak(), kFloat32, 1, 1, 1, 1).has_value());
}

}  // namespace
}  // namespace assay::suites
