#include "suites/kernels/roofline.h"

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

MachinePeak Machine() {
  MachinePeak peak;
  peak.gflops = {{1, 100}};
  peak.bandwidths = {{"L1", 16 << 10, 1, 400, 200},
                     {"L2", 512 << 10, 1, 100, 50},
                     {"DRAM", 128 << 20, 1, 10, 5}};
  return peak;
}

TEST(RooflineTest, BoundByArithmetic) {
  // A rate of 80 GFLOP/s on 16 KiB of data.
  const auto line = RooflineOf(Machine(), 1, 80'000'000, 16 << 10, 1e-3);
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->ToString(),
            "80.0 nominal GFLOP/s, 80.0 % of the machine's peak; 0.0 GB/s, "
            "0.0 % of its L1 bandwidth\nbound by arithmetic, of which this is "
            "80.0 %");
}

TEST(RooflineTest, BoundByTheLevelThatHoldsTheData) {
  const auto memory = RooflineOf(Machine(), 1, 1'000'000, 500'000'000, 0.1);
  ASSERT_TRUE(memory.has_value());
  EXPECT_EQ(memory->level, "DRAM");
  EXPECT_TRUE(memory->bound_by_memory);
  EXPECT_NEAR(memory->percent, 50, 1e-9);
  EXPECT_EQ(RooflineOf(Machine(), 1, 1, 100 << 10, 1)->level, "L2");
}

TEST(RooflineTest, ReturnsNulloptWithoutAMeasuredPeak) {
  EXPECT_FALSE(RooflineOf(Machine(), 2, 1, 1, 1).has_value());
  EXPECT_FALSE(RooflineOf(MachinePeak(), 1, 1, 1, 1).has_value());
}

}  // namespace
}  // namespace assay::suites
