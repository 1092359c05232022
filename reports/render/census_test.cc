#include "reports/render/census.h"

#include <vector>

#include "gtest/gtest.h"

namespace assay::reports {
namespace {

using stats::Verdict;

std::string Of(const std::vector<Verdict>& verdicts) {
  RunResult result;
  for (const Verdict verdict : verdicts) {
    result.rows.emplace_back();
    result.rows.back().verdict = verdict;
  }
  return Census(result);
}

TEST(CensusTest, CountsCellsByVerdict) {
  EXPECT_EQ(Of({Verdict::kEquivalent, Verdict::kNoBaseline, Verdict::kRegressed,
                Verdict::kNoBaseline, Verdict::kEquivalent}),
            "3 of 5 cells judged: 1 regressed, 2 equivalent; not judged: 2 "
            "no_baseline");
  EXPECT_EQ(Of({Verdict::kWrongOutput, Verdict::kPass, Verdict::kImproved}),
            "3 of 3 cells judged: 1 wrong_output, 1 improved, 1 pass");
  EXPECT_EQ(Of({Verdict::kEmulated, Verdict::kInfrastructure,
                Verdict::kInconclusive, Verdict::kEnvironmentChanged}),
            "0 of 4 cells judged; not judged: 1 infrastructure, 1 "
            "inconclusive, 1 environment_changed, 1 emulated");
  EXPECT_EQ(Of({}), "0 of 0 cells judged");
}

}  // namespace
}  // namespace assay::reports
