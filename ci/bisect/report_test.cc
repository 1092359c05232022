#include "ci/bisect/report.h"

#include <string>

#include "ci/bisect/testing/scripted_history.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "runtime/base/file.h"

namespace assay::ci {
namespace {

Commit MakeCommit(const std::string& hash, const std::string& subject) {
  return {hash, "Ada <ada@example.org>", "2026-01-31", subject, {}};
}

// A culprit whose slow kernel is known.
BisectReport OneCulprit() {
  BisectReport report;
  report.commits = {MakeCommit("aaaaaaaaaaaaaaaa", ""),
                    MakeCommit("bbbbbbbbbbbbbbbb", "Tile it"),
                    MakeCommit("cccccccccccccccc", "Write a test")};
  report.suite = "full";
  report.flags = {"--device=host", "--cells=*"};
  report.builds = 3;
  report.building_s = 90;
  reports::KernelChange kernel;
  kernel.sources = {"conv1"};
  kernel.base_kernels = kernel.run_kernels = {"k000_conv2d"};
  kernel.change_ms = 0.2;
  kernel.lower_ms = 0.19;
  kernel.upper_ms = 0.22;
  kernel.cause = "schedule: split(i, 8) -> split(i, 4)";
  kernel.work = {"more_work", 100, 104, 50, 50};
  reports::PairedComparison paired;
  paired.change = 0.02;
  paired.lower = 0.019;
  paired.upper = 0.022;
  paired.attribution.emplace();
  paired.attribution->kernels = {kernel};
  paired.attribution->whole_ms = 0.21;
  Finding finding;
  finding.suspects = {1};
  finding.before = 0;
  finding.after = 1;
  finding.confirmed = true;
  finding.change = "2.0 % slower [1.9 %, 2.2 %]";
  finding.comparison.emplace();
  finding.comparison->paired = paired;
  CellResult cell;
  cell.cell = kScriptedCell;
  cell.status = CellStatus::kFound;
  cell.findings = {finding};
  cell.candidates = 2;
  cell.measurements = 1;
  cell.measuring_s = 5;
  report.cells = {cell};
  return report;
}

TEST(FormatMarkdownTest, NamesCommitChangeKernelAndCommand) {
  EXPECT_EQ(FormatMarkdown(OneCulprit()),
            R"(# Bisection of aaaaaaaaaaaa..cccccccccccc

## net/host/fusion_on/threads_1, time

**2.0 % slower [1.9 %, 2.2 %]**

- `bbbbbbbbbbbb` 2026-01-31 Ada <ada@example.org>  
  Tile it

| change (ms) | of the whole | kernel | work | since |
|---|---|---|---|---|
| +0.2000 | 95 % | k000_conv2d (conv1) | more work: instructions +4.0 %, bytes +0.0 % | schedule: split(i, 8) -> split(i, 4) |
| +0.2000 | 95 % | all kernels | | |
| +0.2100 | 100 % | whole inferences | | |

- again: `./bazelw run //ci:gate -- --base=aaaaaaaaaaaaaaaa --head=bbbbbbbbbbbbbbbb --suite=full --cells=net/host/fusion_on/threads_1 --device=host`

2 candidates of 2 commits, 1 measurements (5 s)

3 builds in 90 s
)");
}

TEST(FormatMarkdownTest, ListsAllCommitsOfARange) {
  BisectReport report = OneCulprit();
  report.cells[0].findings[0].suspects = {1, 2};
  report.cells[0].findings[0].confirmed = false;
  const std::string text = FormatMarkdown(report);
  EXPECT_NE(text.find("One of 2 commits"), std::string::npos);
  EXPECT_NE(text.find("Write a test"), std::string::npos);
  EXPECT_NE(text.find("not confirmed"), std::string::npos);
}

TEST(FormatMarkdownTest, SaysWhyNothingWasFound) {
  BisectReport report = OneCulprit();
  report.cells[0].findings.clear();
  report.cells[0].status = CellStatus::kNotReproduced;
  report.cells[0].reason = "the bad end is not slower";
  EXPECT_NE(
      FormatMarkdown(report).find("not_reproduced: the bad end is not slower"),
      std::string::npos);
}

TEST(FormatJsonTest, HasTheCulpritAndItsKernel) {
  const auto json = nlohmann::json::parse(FormatJson(OneCulprit()));
  EXPECT_EQ(json["good"], "aaaaaaaaaaaaaaaa");
  EXPECT_EQ(json["builds"], 3);
  const auto& cell = json["cells"][0];
  EXPECT_EQ(cell["status"], "found");
  EXPECT_EQ(cell["metric"], "time");
  const auto& finding = cell["findings"][0];
  EXPECT_EQ(finding["suspects"][0]["subject"], "Tile it");
  EXPECT_EQ(finding["lower"], 0.019);
  EXPECT_EQ(finding["kernel_ms"], 0.2);
  EXPECT_EQ(finding["kernel"], "k000_conv2d (conv1)");
  EXPECT_EQ(finding["cause"], "schedule: split(i, 8) -> split(i, 4)");
}

}  // namespace
}  // namespace assay::ci
