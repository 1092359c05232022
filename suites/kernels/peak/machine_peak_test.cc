#include "suites/kernels/peak/machine_peak.h"

#include <map>
#include <optional>

#include "gtest/gtest.h"
#include "suites/kernels/peak/arithmetic.h"

namespace assay::suites {
namespace {

MachinePeak Sample() {
  MachinePeak peak;
  peak.gflops = {{1, 90.5}, {2, 180}};
  peak.bfloat16_gflops = {{1, 900}, {2, 1800}};
  peak.byte_gops = {{1, 1750.5}, {2, 3600}};
  peak.bandwidths = {{"L1", 16384, 1, 200.5, 100}};
  return peak;
}

TEST(MachinePeakTest, RoundTripsThroughText) {
  const MachinePeak peak = Sample();
  const auto again = PeakFromText(PeakToText(peak));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->gflops, peak.gflops);
  EXPECT_EQ(again->bfloat16_gflops, peak.bfloat16_gflops);
  EXPECT_EQ(again->byte_gops, peak.byte_gops);
  ASSERT_EQ(again->bandwidths.size(), 1u);
  EXPECT_EQ(again->bandwidths[0].level, "L1");
  EXPECT_EQ(again->bandwidths[0].read, 200.5);
  for (const char* text : {"", "{}", "{\"gflops\": 3}"}) {
    EXPECT_EQ(PeakFromText(text).status().message(),
              "this is not what `//suites:peak` writes; run it again");
  }
}

TEST(MachinePeakTest, ReadsTextsWithoutTheLaterRates) {
  const auto peak = PeakFromText(
      R"({"gflops": {"1": 90.5}, "bandwidths": [{"level": "L1",
          "bytes": 16384, "threads": 1, "read": 200.5, "copy": 100}]})");
  ASSERT_TRUE(peak.ok()) << peak.status();
  EXPECT_EQ(peak->RateOf(Arithmetic::kFloat32, 1), 90.5);
  EXPECT_EQ(peak->RateOf(Arithmetic::kSplitFloat32, 1), std::nullopt);
  EXPECT_EQ(peak->RateOf(Arithmetic::kBytes, 1), std::nullopt);
  EXPECT_EQ(peak->bandwidths.size(), 1u);
}

TEST(MachinePeakTest, RateIsThatOfTheArithmetic) {
  const MachinePeak peak = Sample();
  EXPECT_EQ(peak.RateOf(Arithmetic::kFloat32, 2), 180);
  EXPECT_EQ(peak.RateOf(Arithmetic::kSplitFloat32, 2), 600);
  EXPECT_EQ(peak.RateOf(Arithmetic::kBytes, 2), 3600);
  EXPECT_EQ(peak.RateOf(Arithmetic::kFloat32, 3), std::nullopt);
  const std::map<int, PeakRates> rates = peak.Rates();
  ASSERT_EQ(rates.size(), 2u);
  EXPECT_EQ(rates.at(1), (PeakRates{{Arithmetic::kFloat32, 90.5},
                                    {Arithmetic::kSplitFloat32, 300},
                                    {Arithmetic::kBytes, 1750.5}}));
}

}  // namespace
}  // namespace assay::suites
