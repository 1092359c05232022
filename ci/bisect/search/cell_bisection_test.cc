#include "ci/bisect/search/cell_bisection.h"

#include <string>
#include <vector>

#include "ci/bisect/testing/scripted_history.h"
#include "gtest/gtest.h"

namespace assay::ci {
namespace {

using ::assay::stats::Verdict;

CellResult Bisect(ScriptedHistory& history, CellOptions options = {}) {
  options.cell = kScriptedCell;
  const std::vector<std::string> commits = history.Hashes();
  const std::vector<Candidate> candidates =
      Collapse(std::vector<std::string>(commits.size()));
  const auto result =
      BisectCell(commits, candidates, options, history, history);
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(CellResult());
}

// Sets the digest of a kernel from a commit on.
void SetKernel(ScriptedHistory& history, int commit, size_t kernel,
               const std::string& digest) {
  history.From(commit, [&](ScriptedCommit& c) { c.kernels[kernel] = digest; });
}

TEST(BisectCellTest, FindsASlowKernelWithOneMeasurement) {
  ScriptedHistory history(33);
  SetKernel(history, 20, 0, "slow conv");
  history.ms["slow conv"] = 1.2;
  const CellResult result = Bisect(history);
  ASSERT_EQ(result.status, CellStatus::kFound);
  ASSERT_EQ(result.findings.size(), 1);
  EXPECT_EQ(result.findings[0].suspects, std::vector<int>{20});
  EXPECT_EQ(result.findings[0].before, 19);
  EXPECT_TRUE(result.findings[0].confirmed);
  EXPECT_EQ(result.findings[0].change, "6.7 % slower [6.5 %, 6.8 %]");
  // The program of the culprit is that of the bad end, and the parent's is that
  // of the good end, so the first measurement confirms them, too.
  EXPECT_EQ(result.measurements, 1);
  EXPECT_LE(history.builds(), 7);
}

TEST(BisectCellTest, ChangesOfOtherKernelsAreNotMeasured) {
  ScriptedHistory history(17);
  for (const int commit : {2, 5, 9, 11, 14}) {
    SetKernel(history, commit, 1, "relu " + std::to_string(commit));
  }
  SetKernel(history, 7, 0, "slow conv");
  history.ms["slow conv"] = 1.2;
  const CellResult result = Bisect(history);
  ASSERT_EQ(result.findings.size(), 1);
  EXPECT_EQ(result.findings[0].suspects, std::vector<int>{7});
  // The two ends, and the culprit beside its parent.
  EXPECT_EQ(result.measurements, 2);
}

TEST(BisectCellTest, MeasuresAThirdVersionOfTheKernel) {
  ScriptedHistory history(17);
  SetKernel(history, 4, 0, "conv as fast");
  SetKernel(history, 11, 0, "slow conv");
  history.ms["slow conv"] = 1.2;
  const CellResult result = Bisect(history);
  ASSERT_EQ(result.findings.size(), 1);
  EXPECT_EQ(result.findings[0].suspects, std::vector<int>{11});
  EXPECT_EQ(result.measurements, 3);
}

TEST(BisectCellTest, NoiseHidesTheWholeButNotTheKernel) {
  ScriptedHistory history(17);
  history.noisy = true;
  SetKernel(history, 4, 0, "conv as fast");
  SetKernel(history, 11, 0, "slow conv");
  history.ms["slow conv"] = 1.2;
  const CellResult result = Bisect(history);
  ASSERT_EQ(result.findings.size(), 1);
  EXPECT_EQ(result.findings[0].suspects, std::vector<int>{11});
  EXPECT_TRUE(result.findings[0].confirmed);
  EXPECT_EQ(result.findings[0].change,
            "kernels of n0: 6.7 % slower [6.5 %, 6.8 %]; all: "
            "6.7 % slower [6.5 %, 6.8 %]");
  // Both ends and the culprit beside its parent are measured twice, and the
  // third version of the kernel once.
  EXPECT_EQ(result.measurements, 5);
}

TEST(BisectCellTest, KernelThatOnlySeemedSlowerDoesNotEndTheBisection) {
  ScriptedHistory history(17);
  history.noisy = history.patience_helps = true;
  SetKernel(history, 3, 1, "other relu");
  SetKernel(history, 11, 0, "slow conv");
  history.ms["slow conv"] = 1.1;
  history.seeming_ms = {{"other relu", 0.4}, {"slow conv", -0.1}};
  const CellResult result = Bisect(history);
  EXPECT_EQ(result.status, CellStatus::kFound) << result.reason;
}

TEST(BisectCellTest, FindsTwoCulprits) {
  ScriptedHistory history(25);
  SetKernel(history, 6, 0, "slow conv");
  SetKernel(history, 19, 2, "slow dense");
  history.ms["slow conv"] = 1.05;
  history.ms["slow dense"] = 1.05;
  const CellResult result = Bisect(history);
  ASSERT_EQ(result.findings.size(), 2);
  EXPECT_EQ(result.findings[0].suspects, std::vector<int>{6});
  EXPECT_EQ(result.findings[1].suspects, std::vector<int>{19});
  EXPECT_LE(history.builds(), 11);
}

TEST(BisectCellTest, BrokenCommitsBelongToTheRange) {
  ScriptedHistory history(17);
  SetKernel(history, 9, 0, "slow conv");
  history.ms["slow conv"] = 1.2;
  history[8].broken = history[9].broken = true;
  const CellResult result = Bisect(history);
  ASSERT_EQ(result.findings.size(), 1);
  EXPECT_EQ(result.findings[0].suspects, (std::vector<int>{8, 9, 10}));
  EXPECT_EQ(result.findings[0].before, 7);
  EXPECT_EQ(result.findings[0].after, 10);
}

TEST(BisectCellTest, EqualProgramsAreNotMeasured) {
  ScriptedHistory history(9);
  const CellResult result = Bisect(history);
  EXPECT_EQ(result.status, CellStatus::kSameProgram);
  EXPECT_EQ(history.comparisons(), 0);
  EXPECT_EQ(history.builds(), 2);
}

TEST(BisectCellTest, ChangeThatCannotBeReproducedNamesNobody) {
  ScriptedHistory history(9);
  SetKernel(history, 4, 0, "conv as fast");
  const CellResult result = Bisect(history);
  EXPECT_EQ(result.status, CellStatus::kNotReproduced);
  EXPECT_EQ(history.builds(), 2);
  EXPECT_NE(result.reason.find("not slower"), std::string::npos);
}

TEST(BisectCellTest, EndsWithoutAVerdictAreUndecided) {
  ScriptedHistory history(9);
  SetKernel(history, 4, 0, "slow conv");
  history.ms["slow conv"] = 1.2;
  history.undecided[{"c0", "c8"}] = true;
  const CellResult result = Bisect(history);
  EXPECT_EQ(result.status, CellStatus::kNotReproduced);
  EXPECT_TRUE(result.undecided);
  EXPECT_EQ(result.reason,
            "the ends were compared without a verdict: too much noise");
}

TEST(BisectCellTest, RuntimesAreComparedIfTheKernelsDoNotExplainTheChange) {
  ScriptedHistory history(9);
  SetKernel(history, 2, 1, "relu as fast");
  history.From(6, [](ScriptedCommit& c) { c.runtime = "slow runtime"; });
  history.ms["slow runtime"] = 0.5;
  const CellResult result = Bisect(history);
  ASSERT_EQ(result.findings.size(), 1);
  EXPECT_EQ(result.findings[0].suspects, std::vector<int>{6});
  EXPECT_TRUE(result.findings[0].confirmed);
}

TEST(BisectCellTest, WrongOutputIsFoundWithoutMeasurements) {
  ScriptedHistory history(17);
  history.From(13,
               [](ScriptedCommit& c) { c.verdict = Verdict::kWrongOutput; });
  // A crash says nothing about the output.
  history[12].verdict = Verdict::kInfrastructure;
  const CellResult result = Bisect(history);
  EXPECT_EQ(result.metric, Metric::kOutcome);
  ASSERT_EQ(result.findings.size(), 1);
  EXPECT_EQ(result.findings[0].suspects, (std::vector<int>{12, 13}));
  EXPECT_EQ(result.findings[0].change, "wrong output: as scripted");
  EXPECT_EQ(history.comparisons(), 0);
}

TEST(BisectCellTest, CommitThatBrokeTheBuildIsFound) {
  ScriptedHistory history(17);
  history.From(5, [](ScriptedCommit& c) { c.broken = true; });
  const CellResult result = Bisect(history);
  ASSERT_EQ(result.findings.size(), 1);
  EXPECT_EQ(result.findings[0].suspects, std::vector<int>{5});
  EXPECT_EQ(result.findings[0].change, "error: expected `;`");
}

TEST(BisectCellTest, SizeAndMemoryAreComparedExactly) {
  ScriptedHistory history(17);
  history.From(3, [](ScriptedCommit& c) { c.artifact_bytes = 1015; });
  history.From(9, [](ScriptedCommit& c) { c.arena_bytes = 200; });
  CellOptions options;
  options.metric = Metric::kSize;
  const CellResult size = Bisect(history, options);
  ASSERT_EQ(size.findings.size(), 1);
  EXPECT_EQ(size.findings[0].suspects, std::vector<int>{3});
  EXPECT_EQ(size.findings[0].change,
            "1000 bytes before, 1015 bytes after (+1.5 %)");
  options.metric = Metric::kMemory;
  const CellResult memory = Bisect(history, options);
  ASSERT_EQ(memory.findings.size(), 1);
  EXPECT_EQ(memory.findings[0].suspects, std::vector<int>{9});
}

TEST(BisectCellTest, TimesOfBuildsAreComparedWithTheEnds) {
  ScriptedHistory history(17);
  // 3 % of noise.
  for (int i = 0; i < 17; ++i) {
    history[i].compile_ms = (i < 11 ? 100 : 130) + 3 * (i % 3 - 1);
    history[i].load_ms = 10;
  }
  history[9].compile_ms = 115;  // undecided
  CellOptions options;
  options.metric = Metric::kCompile;
  const CellResult compile = Bisect(history, options);
  ASSERT_EQ(compile.findings.size(), 1);
  EXPECT_EQ(compile.findings[0].suspects.back(), 11);
  EXPECT_GE(compile.findings[0].suspects.front(), 9);
  EXPECT_EQ(history.comparisons(), 0);
  options.metric = Metric::kLoad;
  const CellResult load = Bisect(history, options);
  EXPECT_EQ(load.status, CellStatus::kNotReproduced);
  EXPECT_EQ(load.reason, "10.0 ms before, 10.0 ms after (+0 %)");
}

TEST(BisectCellTest, GoodEndThatDoesNotWorkIsReported) {
  ScriptedHistory history(3);
  history[0].verdict = Verdict::kWrongOutput;
  const CellResult result = Bisect(history);
  EXPECT_EQ(result.status, CellStatus::kUnusable);
  EXPECT_EQ(result.reason, "the good end: wrong output: as scripted");
}

TEST(BisectCellTest, UndecidedComparisonWithTheParentIsNotConfirmed) {
  ScriptedHistory history(9);
  SetKernel(history, 2, 1, "other relu");
  SetKernel(history, 5, 0, "slow conv");
  SetKernel(history, 7, 1, "relu");
  history.ms["slow conv"] = 1.2;
  history.undecided[{"c4", "c5"}] = true;
  const CellResult result = Bisect(history);
  ASSERT_EQ(result.findings.size(), 1);
  EXPECT_EQ(result.findings[0].suspects, std::vector<int>{5});
  EXPECT_FALSE(result.findings[0].confirmed);
}

TEST(ParseMetricTest, ReadsWhatMetricNameWrites) {
  for (const Metric metric :
       {Metric::kTime, Metric::kOutcome, Metric::kSize, Metric::kMemory,
        Metric::kCompile, Metric::kLoad}) {
    const auto parsed = ParseMetric(MetricName(metric));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(*parsed, metric);
  }
  EXPECT_FALSE(ParseMetric("speed").ok());
}

}  // namespace
}  // namespace assay::ci
