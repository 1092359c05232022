// Tests comparisons of two builds through the command line, as //ci:gate makes
// them: each build compiles its artifacts, and a third run judges both, with a
// process for each. The compilers, the outputs and the processes are real. The
// times are those of a script (testing/scripted_bench_artifact.cc), so that the
// verdicts do not depend on the machine; side_by_side_nightly.cc has real ones.
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/run_result.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/file.h"
#include "tests/e2e/testing/suite_program.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::Contains;
using ::testing::HasSubstr;

class SideBySideTest : public SuiteProgramTest {
 protected:
  SideBySideTest()
      : flags_({"--model=" + WriteResNet18(), "--dim=N=1", "--threads=1",
                "--fusion=on", "--max_error=0", "--repeat=6", "--seed=1"}) {}

  // Compiles the model with the flags `more`, and keeps the artifact and the
  // stages of the compilation in the folder `out`. Returns its row.
  reports::Row Build(const std::string& out,
                     const std::vector<std::string>& more) {
    std::vector<std::string> flags = flags_;
    flags.insert(flags.end(), {"--keep_artifacts", "--out=" + Path(out),
                               "--dump_dir=" + JoinPath(Path(out), "dump")});
    const runtime::ProcessResult run = RunModel(flags, more);
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    const reports::RunResult results = ReadResults(out);
    EXPECT_EQ(results.rows.size(), 1u);
    return results.rows.empty() ? reports::Row() : results.rows[0];
  }

  // Returns the digest of the code of the kernel that computes `node`.
  std::string CodeOf(const std::string& out, const reports::Row& row,
                     const std::string& node) {
    const auto artifact =
        runtime::ArtifactStore(JoinPath(Path(out), "artifacts"))
            .Get(row.build.artifact_digest);
    EXPECT_TRUE(artifact.ok()) << artifact.status();
    if (!artifact.ok()) return "";
    for (const runtime::KernelCall& call : artifact->calls) {
      if (absl::c_linear_search(call.sources, node)) return call.code_digest;
    }
    ADD_FAILURE() << "no kernel computes " << node;
    return "";
  }

  // Judges the artifact of the folder `run` against that of `base`. The budget
  // is long because loading takes long on a busy machine.
  reports::Row Judge(const std::string& base, const std::string& run,
                     int exit_code) {
    const std::string program = "tests/e2e/testing/scripted_bench_artifact";
    const runtime::ProcessResult result = RunModel(
        flags_, {"--against=" + Path(base), "--against_runtime=" + program,
                 "--artifacts=" + Path(run), "--artifacts_runtime=" + program,
                 "--budget=3600", "--out=" + Path("out")});
    EXPECT_EQ(result.exit_code, exit_code) << result.out << result.err;
    const reports::RunResult results = ReadResults();
    EXPECT_EQ(results.rows.size(), 1u) << result.out << result.err;
    for (const reports::CanaryTrial& trial : results.canary) {
      EXPECT_TRUE(trial.separate);
    }
    EXPECT_EQ(results.canary.size(), 4u);
    EXPECT_TRUE(IsSound(results.canary, /*threads=*/1)) << result.out;
    return results.rows.empty() ? reports::Row() : results.rows[0];
  }

 private:
  const std::vector<std::string> flags_;
};

TEST_F(SideBySideTest, FindsSlowKernel) {
  Build("base", {});
  const reports::Row slow =
      Build("slow", {"--schedule=backbone/conv1=tile_oc=1 tile_ow=[-1,1]"});
  setenv("ASSAY_SLOW_CODE", CodeOf("slow", slow, "backbone/conv1").c_str(), 1);
  const reports::Row row = Judge("base", "slow", /*exit_code=*/1);
  EXPECT_EQ(row.verdict, Verdict::kRegressed);
  ASSERT_TRUE(row.comparison.paired.has_value() &&
              row.comparison.paired->attribution.has_value());
  const std::vector<reports::KernelChange>& kernels =
      row.comparison.paired->attribution->kernels;
  EXPECT_THAT(kernels[0].sources, Contains("backbone/conv1"));
  EXPECT_FALSE(kernels[0].same_code);
  EXPECT_NEAR(kernels[0].run_ms / kernels[0].base_ms, 3, 0.1);
  for (size_t i = 1; i < kernels.size(); ++i) {
    EXPECT_TRUE(kernels[i].same_code) << kernels[i].run_kernels[0];
  }
  EXPECT_TRUE(FileExists(
      Path("out/attribution/small.host.fusion_on.threads_1/schedule.diff")));
}

// Another layout of the code is another build, which must be measured although
// the kernels compute the same in the same way.
TEST_F(SideBySideTest, MeasuresAnotherLayoutOfTheCode) {
  const reports::Row base = Build("base", {});
  const reports::Row other = Build("other", {"--layout_seed=1"});
  EXPECT_THAT(other.reproduce, HasSubstr("--layout_seed=1"));
  EXPECT_NE(other.build.artifact_digest, base.build.artifact_digest);
  const reports::Row row = Judge("base", "other", /*exit_code=*/0);
  EXPECT_EQ(row.verdict, Verdict::kEquivalent);
  ASSERT_TRUE(row.comparison.paired.has_value());
  EXPECT_FALSE(row.comparison.paired->base_ns.empty());
  EXPECT_EQ(row.comparison.paired->artifact_digest, base.build.artifact_digest);
}

}  // namespace
}  // namespace assay::suites
