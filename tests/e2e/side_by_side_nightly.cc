// Compares two builds with real times through the command line, in one process
// and in two. The machine decides how long a verdict takes, so this is one of
// the nightly tests.
#include <iostream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/run_result.h"
#include "runtime/base/file.h"
#include "tests/e2e/testing/suite_program.h"

namespace assay::suites {
namespace {

using stats::Verdict;

class SideBySideNightly : public SuiteProgramTest,
                          public ::testing::WithParamInterface<bool> {
 protected:
  SideBySideNightly()
      : flags_({"--model=" + WriteResNet18(), "--dim=N=1", "--threads=1",
                "--fusion=on", "--max_error=0", "--repeat=6", "--seed=1"}) {}

  // Compares the model with the flags `more` with the model without them, and
  // returns its row.
  reports::Row Compare(const std::string& more, int exit_code) {
    const runtime::ProcessResult base =
        RunModel(flags_, {"--keep_artifacts", "--out=" + Path("base")});
    EXPECT_EQ(base.exit_code, 0) << base.out << base.err;
    std::vector<std::string> flags = flags_;
    flags.insert(flags.end(),
                 {more, "--against=" + Path("base"), "--out=" + Path("out")});
    if (GetParam()) {
      flags.push_back(
          "--against_runtime="
          "suites/devices/bench_artifact_this_machine");
    }
    const runtime::ProcessResult run = RunModel(flags);
    EXPECT_EQ(run.exit_code, exit_code) << run.out << run.err;
    std::cout << run.out;
    const reports::RunResult results = ReadResults();
    EXPECT_EQ(results.rows.size(), 1u);
    return results.rows.empty() ? reports::Row() : results.rows[0];
  }

 private:
  const std::vector<std::string> flags_;
};

INSTANTIATE_TEST_SUITE_P(Processes, SideBySideNightly, ::testing::Bool());

// A kernel that is three times slower is found on any machine.
TEST_P(SideBySideNightly, FindsSlowKernel) {
  const reports::Row row = Compare(
      "--schedule=backbone/conv1=tile_oc=1 tile_ow=[-1,1]", /*exit_code=*/1);
  EXPECT_EQ(row.verdict, Verdict::kRegressed);
  ASSERT_TRUE(row.comparison.paired.has_value() &&
              row.comparison.paired->attribution.has_value());
  EXPECT_THAT(row.comparison.paired->attribution->kernels[0].sources,
              ::testing::Contains("backbone/conv1"));
}

TEST_P(SideBySideNightly, AnotherLayoutIsEquivalent) {
  const reports::Row row = Compare("--layout_seed=1", /*exit_code=*/0);
  EXPECT_EQ(row.verdict, Verdict::kEquivalent);
}

}  // namespace
}  // namespace assay::suites
