#include "runtime/tools/count/region_report.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

constexpr char kLine[] = "region 10 1 5 20 8 4 3 2 9 4 144 64 7\n";

TEST(RegionReportTest, ReadsRegionsInOrder) {
  const auto regions = ParseRegions(std::string(kLine) +
                                    "region 1 0 0 0 0 0 0 0 0 0 0 0 0\nend\n");
  ASSERT_TRUE(regions.ok()) << regions.status();
  ASSERT_EQ(regions->size(), 2u);
  EXPECT_EQ((*regions)[0].Total(), 53);
  EXPECT_EQ((*regions)[1].Total(), 1);
}

TEST(RegionReportTest, RejectsIncompleteText) {
  for (const std::string& text : {std::string(), std::string(kLine)}) {
    const absl::Status status = ParseRegions(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_EQ(status.message(), "the counts of the plug-in are incomplete");
  }
}

TEST(RegionReportTest, RejectsDamagedLine) {
  const absl::Status status = ParseRegions("region 10 1\nend\n").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(),
            "the counts of the plug-in have the line `region 10 1`");
}

TEST(RegionReportTest, ReturnsTheErrorOfThePlugin) {
  const absl::Status status =
      ParseRegions(std::string(kLine) + "error a region has no end\nend\n")
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(status.message(), "a region has no end");
}

}  // namespace
}  // namespace assay::runtime
