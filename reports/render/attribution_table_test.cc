#include "reports/render/attribution_table.h"

#include "gtest/gtest.h"

namespace assay::reports {
namespace {

TEST(AttributionTableTest, ShowsSignificantChangesAndTheirSum) {
  Row row;
  row.cell.model = "net";
  row.cell.device = "host";
  EXPECT_EQ(AttributionTable(row), "");
  row.comparison.paired.emplace();
  EXPECT_EQ(AttributionTable(row), "");
  Attribution& attribution = row.comparison.paired->attribution.emplace();
  attribution.rounds = 40;
  attribution.kernels = {
      {{"conv1", "relu1"},
       {"k001"},
       {"k001", "k002"},
       1,
       1.5,
       .5,
       .4,
       .6,
       false},
      {{"pool"}, {"k002"}, {"k003"}, .25, .25, .02, -.01, .05, false},
      {{"add"}, {"k004"}, {"k004"}, .5, .51, .01, -.02, .04, true},
      {{"mul"}, {"k005"}, {"k005"}, .5, .5, -.01, -.04, .02, true},
      {{"fc"}, {"k006"}, {"k006"}, .1, .2, .1, .05, .2, true},
      {{}, {"k003_cast"}, {}, .125, 0, -.125, -.13, -.12, false}};
  attribution.whole_ms = .4;
  attribution.whole_lower_ms = .3;
  attribution.whole_upper_ms = .5;
  EXPECT_EQ("\n" + AttributionTable(row),
            R"(
net on host, fusion on, threads 1: attribution of the change to kernels, 40 interleaved inferences of each
  base ms    run ms    change        99 % interval  %whole  kernels of the run (nodes)
   1.0000    1.5000   +0.5000   [+0.4000, +0.6000]  125.0%  k001 + k002 (conv1, relu1)
   0.1000    0.2000   +0.1000   [+0.0500, +0.2000]   25.0%  k006 (fc), the same machine code
   0.1250    0.0000   -0.1250   [-0.1300, -0.1200]  -31.2%  k003_cast
                      +0.0200                         5.0%  1 more without a significant change
                      +0.0000                         0.0%  2 more of the same machine code without a significant change
                      +0.4950                       123.7%  all kernels
                      +0.4000   [+0.3000, +0.5000]  100.0%  whole inferences
)");
}

}  // namespace
}  // namespace assay::reports
