#include "ci/bisect/published.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::ci {
namespace {

constexpr char kOld[] = "aaaa";
constexpr char kNew[] = "bbbb";

// A night of a cell whose kernel has this digest. If `slower`, the comparison
// with the night before says so.
reports::Row Night(const std::string& model, const std::string& digest,
                   bool slower, const std::string& before) {
  reports::Row row;
  row.suite = "nets";
  row.cell.model = model;
  row.cell.device = "host";
  row.fingerprint = "machine";
  row.build.model_digest = "m";
  row.build.artifact_digest = digest;
  row.build.runtime_digest = "r";
  row.build.code = {{"k", {"n"}, digest}};
  row.timing.samples_ns.assign(20, 1e6);
  row.verdict = stats::Verdict::kNoBaseline;
  if (slower) {
    row.verdict = stats::Verdict::kRegressed;
    reports::PairedComparison paired;
    paired.artifact_digest = before;
    paired.change = 0.02;
    paired.lower = 0.01;
    paired.upper = 0.03;
    row.comparison.paired = paired;
  }
  return row;
}

reports::RunResult RunOf(const std::string& date, const std::string& commit,
                         const std::vector<reports::Row>& rows) {
  reports::RunResult run;
  run.started_at = date + "T01:00:00Z";
  run.commit = commit;
  run.rows = rows;
  return run;
}

TEST(PublishedRegressionsTest, GroupsCellsOfOneNightByCommits) {
  const std::vector<reports::RunResult> history = {
      RunOf("2026-01-01", kOld,
            {Night("a", "1", false, ""), Night("b", "2", false, ""),
             Night("c", "3", false, "")}),
      RunOf("2026-01-02", kNew,
            {Night("a", "4", true, "1"), Night("b", "5", true, "2"),
             Night("c", "3", false, "")})};
  const auto regressions = PublishedRegressions(history);
  ASSERT_EQ(regressions.size(), 1);
  EXPECT_EQ(regressions[0].good, kOld);
  EXPECT_EQ(regressions[0].bad, kNew);
  EXPECT_EQ(regressions[0].cells,
            (std::vector<std::string>{"a/host/fusion_on/threads_1",
                                      "b/host/fusion_on/threads_1"}));
}

TEST(PublishedRegressionsTest, EarlierNightsAreNotBisectedAgain) {
  const std::vector<reports::RunResult> history = {
      RunOf("2026-01-01", kOld, {Night("a", "1", false, "")}),
      RunOf("2026-01-02", kNew, {Night("a", "4", true, "1")}),
      RunOf("2026-01-03", "cccc", {Night("a", "4", false, "")})};
  EXPECT_TRUE(PublishedRegressions(history).empty());
}

TEST(PublishedRegressionsTest, TreesWithChangesCannotBeBisected) {
  const std::vector<reports::RunResult> history = {
      RunOf("2026-01-01", kOld, {Night("a", "1", false, "")}),
      RunOf("2026-01-02", "bbbb+", {Night("a", "4", true, "1")})};
  EXPECT_TRUE(PublishedRegressions(history).empty());
}

}  // namespace
}  // namespace assay::ci
