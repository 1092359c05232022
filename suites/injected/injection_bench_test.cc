#include "suites/injected/injection_bench.h"

#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/results_json.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::AllOf;
using ::testing::HasSubstr;

reports::Row RegressedRow() {
  reports::Attribution attribution;
  attribution.kernels.resize(2);
  attribution.kernels[0].sources = {"pad", "conv1", "bn1"};
  attribution.kernels[0].change_ms = 0.5;
  attribution.kernels[1].sources = {"fc"};
  attribution.kernels[1].change_ms = 0.02;
  attribution.whole_ms = 0.5;
  reports::PairedComparison paired;
  paired.base_ns = paired.run_ns = {1, 2, 3};
  paired.change = 0.03;
  paired.lower = 0.02;
  paired.upper = 0.04;
  paired.attribution = attribution;
  reports::Row row;
  row.verdict = Verdict::kRegressed;
  row.comparison.paired = paired;
  return row;
}

Injection Planned() {
  Injection injection;
  injection.kind = "fused_convolution";
  injection.suite = "net --variant=v1";
  injection.flags = "--schedule=conv1=tile=1";
  injection.nodes = "conv1";
  injection.seed = 4;
  return injection;
}

TEST(SetResultsTest, ReadsComparisonAndAttribution) {
  Injection injection = Planned();
  SetResults(RegressedRow(), 1, &injection);
  EXPECT_EQ(injection.verdict, Verdict::kRegressed);
  EXPECT_EQ(injection.change, 0.03);
  EXPECT_EQ(injection.loads, 3);
  EXPECT_EQ(injection.named, "conv1");
  EXPECT_DOUBLE_EQ(injection.kernels_ms, 0.52);
  EXPECT_TRUE(injection.good);
  injection.nodes = "fc";
  SetResults(RegressedRow(), 1, &injection);
  EXPECT_EQ(injection.named, "pad");
  EXPECT_FALSE(injection.good);
}

TEST(SetResultsTest, AcceptsARowThatWasNotMeasured) {
  Injection injection = Planned();
  reports::Row row;
  row.verdict = Verdict::kInconclusive;
  SetResults(row, 3, &injection);
  EXPECT_EQ(injection.exit_code, 3);
  EXPECT_EQ(injection.loads, 0);
  EXPECT_FALSE(injection.good);
}

// A suite that writes prepared results and its arguments.
class InjectionBenchTest : public ::testing::Test {
 protected:
  InjectionBenchTest() {
    reports::RunResult result;
    result.rows = {RegressedRow()};
    EXPECT_TRUE(
        WriteFileAtomic(Path("results.json"), reports::ResultsJson(result))
            .ok());
    WriteSuite(/*exit_code_of_base=*/0);
  }

  std::string Path(const std::string& name) const {
    return JoinPath(dir_.path(), name);
  }

  void WriteSuite(int exit_code_of_base) const {
    const std::string program = Path("net");
    const std::string script =
        absl::StrReplaceAll(R"(#!/bin/sh
echo "$@" >> LOG
code=CODE
for flag; do
  case $flag in
    --out=*) out=${flag#--out=} ;;
    --against=*) code=1 ;;
  esac
done
mkdir -p "$out"
cp RESULTS "$out"
exit $code
)",
                            {{"LOG", Path("log")},
                             {"CODE", absl::StrCat(exit_code_of_base)},
                             {"RESULTS", Path("results.json")}});
    EXPECT_TRUE(WriteFileAtomic(program, script).ok());
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }

  InjectionBench Bench() const {
    InjectionBenchOptions options;
    options.find = [this](const std::string& suite) { return Path(suite); };
    options.folder = dir_.path();
    options.budget_s = 7;
    return InjectionBench(options);
  }

  TempDir dir_ = TempDir::Create().value();
};

TEST_F(InjectionBenchTest, MeasuresEachBaseOnce) {
  InjectionBench bench = Bench();
  for (const uint64_t seed : {4, 5}) {
    Injection injection = Planned();
    injection.seed = seed;
    const absl::Status status = bench.Run(&injection);
    ASSERT_TRUE(status.ok()) << status;
    EXPECT_TRUE(injection.good);
    EXPECT_EQ(injection.budget_s, 7);
  }
  const std::string log = ReadFile(Path("log")).value();
  EXPECT_THAT(log, AllOf(HasSubstr("--variant=v1 --fusion=on"),
                         HasSubstr("--keep_artifacts\n"),
                         HasSubstr("--schedule=conv1=tile=1 --seed=4 "
                                   "--budget=7 --max_budget=7 --against=" +
                                   Path("base_0")),
                         HasSubstr("--seed=5")));
  EXPECT_EQ(log.find("--keep_artifacts"), log.rfind("--keep_artifacts"));
}

TEST_F(InjectionBenchTest, BaseMustSucceed) {
  WriteSuite(/*exit_code_of_base=*/3);
  Injection injection = Planned();
  EXPECT_THAT(std::string(Bench().Run(&injection).message()),
              HasSubstr("`net --variant=v1` without a change exited with 3"));
}

TEST_F(InjectionBenchTest, WrongFlagsAreAnError) {
  WriteSuite(/*exit_code_of_base=*/2);
  Injection injection = Planned();
  EXPECT_THAT(std::string(Bench().Run(&injection).message()),
              HasSubstr("`net --variant=v1` failed"));
}

}  // namespace
}  // namespace assay::suites
