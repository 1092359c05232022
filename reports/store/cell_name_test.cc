#include "reports/store/cell_name.h"

#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"

namespace assay::reports {
namespace {

TEST(CellNameTest, NamesSuiteModelDeviceVariantAndThreads) {
  const RunResult result = TunedResult();
  EXPECT_EQ(CellNameOf(result.rows[0]),
            "resnet18/resnet18/host/fusion_on/threads_2");
  EXPECT_EQ(CellNameOf(result.rows[1]),
            "resnet18/resnet18/host/fusion_on/tuned/threads_2");
}

TEST(CellNameTest, PatternsMatchSlashes) {
  const std::string cell = "zoo/net/host/fusion_on/threads_2";
  EXPECT_TRUE(MatchesCellName("*", cell));
  EXPECT_TRUE(MatchesCellName("zoo/*/threads_?", cell));
  EXPECT_TRUE(MatchesCellName(cell, cell));
  EXPECT_FALSE(MatchesCellName("zoo", cell));
  EXPECT_FALSE(MatchesCellName("zoo/net/rpi3b/*", cell));
}

}  // namespace
}  // namespace assay::reports
