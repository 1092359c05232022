#include "suites/kernels/machine_peak.h"

#include "compiler/tir/parser.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

TEST(MachinePeakTest, KernelsAreValidLoopIr) {
  for (const std::string& text :
       {PeakKernel(8, 100, 2), ReadKernel(8, 3, 2, 1024),
        CopyKernel(16, 3, 2, 1024)}) {
    const auto kernel = tir::ParseFunction(text);
    EXPECT_TRUE(kernel.ok()) << kernel.status() << "\n" << text;
  }
}

TEST(MachinePeakTest, RoundTripsThroughText) {
  MachinePeak peak;
  peak.gflops = {{1, 90.5}, {2, 180}};
  peak.bandwidths = {{"L1", 16384, 1, 200.5, 100}};
  const auto again = PeakFromText(PeakToText(peak));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->gflops, peak.gflops);
  ASSERT_EQ(again->bandwidths.size(), 1u);
  EXPECT_EQ(again->bandwidths[0].level, "L1");
  EXPECT_EQ(again->bandwidths[0].read, 200.5);
  for (const char* text : {"", "{}", "{\"gflops\": 3}"}) {
    EXPECT_EQ(PeakFromText(text).status().message(),
              "this is not what `//suites:peak` writes; run it again");
  }
}

}  // namespace
}  // namespace assay::suites
