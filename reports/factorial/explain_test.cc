#include "reports/factorial/explain.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "reports/result/run_result.h"
#include "reports/stats/verdict.h"

namespace assay::reports {
namespace {

// A row whose run is slower by the factor `ratio`, with a noise of 0.1 %.
Row MakeRow(bool fusion, int threads, double ratio) {
  Row row;
  row.cell.model = "net";
  row.cell.device = "host";
  row.cell.variant.fusion = fusion;
  row.cell.threads = threads;
  PairedComparison paired;
  for (int load = 0; load < 12; ++load) {
    paired.base_ns.push_back(1000);
    paired.run_ns.push_back(1000 * ratio * (1 + 0.001 * (load % 3 - 1)));
  }
  row.comparison.paired = paired;
  return row;
}

TEST(FactorialTextTest, SaysWithWhatValuesAModelBecameSlower) {
  RunResult result;
  result.rows = {MakeRow(true, 1, 1.04), MakeRow(false, 1, 1.0),
                 MakeRow(true, 2, 1.04), MakeRow(false, 2, 1.0)};
  EXPECT_EQ(FactorialText(result),
            "net on host: +2.0 % [+1.9 %, +2.0 %] in the mean of 4 cells, only "
            "with fusion on\n"
            "  fusion on instead of off: +4.0 % [+3.9 %, +4.1 %]\n");
}

// The commit changed a kernel that only the fused programs have.
TEST(FactorialTextTest, TheSameArtifactHasNoChange) {
  RunResult result;
  result.rows = {MakeRow(true, 1, 1.04), MakeRow(false, 1, 1.0),
                 MakeRow(true, 2, 1.04), MakeRow(false, 2, 1.0)};
  for (const size_t i : {1, 3}) {
    result.rows[i].comparison.paired.reset();
    result.rows[i].verdict = stats::Verdict::kEquivalent;
  }
  EXPECT_NE(FactorialText(result).find("4 cells, only with fusion on"),
            std::string::npos);
  result.rows = {result.rows[1], result.rows[3]};
  EXPECT_EQ(FactorialText(result), "");
}

TEST(FactorialTextTest, NeedsACompleteDesign) {
  RunResult result;
  result.rows = {MakeRow(true, 1, 1.04), MakeRow(false, 1, 1.0),
                 MakeRow(true, 2, 1.04)};
  EXPECT_EQ(FactorialText(result), "");
  result.rows = {MakeRow(true, 1, 1.04)};
  EXPECT_EQ(FactorialText(result), "");
  result.rows = {MakeRow(true, 1, 1.0), MakeRow(false, 1, 1.0)};
  EXPECT_EQ(FactorialText(result),
            "net on host: -0.0 % [-0.0 %, +0.0 %] in the mean of 2 cells, not "
            "significant\n");
}

TEST(FactorialTextTest, RowsWithoutAComparisonAreLeftOut) {
  RunResult result;
  result.rows = {MakeRow(true, 1, 1.02), MakeRow(false, 1, 1.02)};
  result.rows.push_back(MakeRow(true, 2, 1.0));
  result.rows.back().comparison.paired.reset();
  EXPECT_NE(FactorialText(result).find("equally in all cells"),
            std::string::npos);
}

}  // namespace
}  // namespace assay::reports
