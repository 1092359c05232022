// Tests the verdicts and the exit code of runs that pass or fail.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/baseline/baseline.h"
#include "runtime/base/file.h"
#include "suites/harness/run.h"
#include "suites/harness/testing/suite_fixture.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

using RunVerdictTest = SuiteFixture;

TEST_F(RunVerdictTest, RunWithoutBaselinePasses) {
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  std::vector<std::string> log = {"compile host on", "reference", "reference",
                                  "reference",       "evaluate",  "evaluate"};
  log.insert(log.end(), 8, "measure 1");
  log.push_back("evaluate");  // a late input
  EXPECT_THAT(script_.log, ElementsAreArray(log));
  EXPECT_THAT(out_, AllOf(HasSubstr("no_baseline"),
                          HasSubstr("x86_64-fake-2c-00000000"),
                          HasSubstr("`--bless` stores these times")));
  const reports::Row& row = result_.rows[0];
  EXPECT_EQ(row.build.kernels, 1);
  EXPECT_EQ(row.build.flops, 500);
  EXPECT_EQ(row.cell.threads, 2);
  EXPECT_EQ(row.correctness.max_abs_error, 0);
  EXPECT_NEAR(row.correctness.max_abs_error_bound.value(), 1e-4, 1e-9);
  EXPECT_EQ(row.build.artifact_digest.size(), 64u);
  EXPECT_EQ(row.build.model_digest, "digest");
  EXPECT_THAT(row.reproduce,
              HasSubstr("//suites:net -- --device=host --fusion=on "
                        "--threads=2 --warmup=0 --number=1 --repeat=8"));
}

TEST_F(RunVerdictTest, BlessThenPassThenRegressThenImprove) {
  BlessOnce();
  EXPECT_THAT(out_, HasSubstr("blessed 1 of 1 rows"));
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kPass);
  EXPECT_NEAR(result_.rows[0].comparison.delta.value(), 0, 1e-6);

  // The screen suspects a change, and side-by-side measurement confirms it.
  script_.build = "second";
  script_.slowness["second"] = 1.5;
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(OnlyVerdict(), Verdict::kRegressed);
  EXPECT_NEAR(result_.rows[0].comparison.delta.value(), 0.5, 1e-6);
  ASSERT_TRUE(result_.rows[0].comparison.paired.has_value());
  EXPECT_NEAR(result_.rows[0].comparison.paired->change, 0.5, 0.005);
  EXPECT_GE(result_.rows[0].comparison.paired->base_ns.size(), 8u);
  EXPECT_THAT(out_, AllOf(HasSubstr("% slower ["), HasSubstr("reproduce: ")));

  script_.slowness["second"] = 0.75;
  script_.scatter = 0.002;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kImproved);
}

TEST_F(RunVerdictTest, DisturbedTimesAreBlessedByForceOnly) {
  disturbances_ = {"it was too hot"};
  BlessOnce();
  EXPECT_THAT(out_, AllOf(HasSubstr("doubtful, because it was too hot"),
                          HasSubstr("not blessed: the times of 1 row")));
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  options_.comparison.force = true;
  BlessOnce();
  EXPECT_THAT(out_, HasSubstr("blessed 1 of 1 rows"));
}

TEST_F(RunVerdictTest, ARowWithoutAVerdictHasNoTimesOfKernels) {
  options_.timing.per_op = true;
  options_.output.out = JoinPath(dir_.path(), "base");
  options_.output.keep_artifacts = true;
  ASSERT_EQ(Run(), 0);
  EXPECT_THAT(result_.rows.at(0).timing.operators, SizeIs(1));
  options_.comparison.against = options_.output.out;
  options_.comparison.against_runtime = "bench_artifact";
  options_.output = {};
  process_runner_ = [] { return absl::InternalError("no such program"); };
  EXPECT_EQ(Run(), 5);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInfrastructure);
  EXPECT_THAT(result_.rows[0].timing.operators, SizeIs(0));
}

TEST_F(RunVerdictTest, SuspectedChangeNeedsConfirmation) {
  BlessOnce();
  script_.scatter = 0.002;
  // The whole machine has become slower.
  script_.build = "second";
  script_.samples = {15, 15.01, 14.99, 15, 15.02, 14.98};
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kEquivalent);
  EXPECT_NEAR(result_.rows[0].comparison.delta.value(), 0.5, 0.01);
  EXPECT_NEAR(result_.rows[0].comparison.paired->change, 0, 0.002);

  // An identical artifact is not measured again.
  script_.build = "first";
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kEquivalent);
  EXPECT_FALSE(result_.rows[0].comparison.paired.has_value());
  EXPECT_THAT(result_.rows[0].reason, HasSubstr("What changed is the machine"));

  // Without the artifact of the baseline, the change cannot be confirmed.
  script_.build = "second";
  artifacts_ = JoinPath(dir_.path(), "elsewhere");
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInconclusive);
  EXPECT_THAT(result_.rows[0].reason,
              AllOf(HasSubstr("% slower"),
                    HasSubstr("not confirmed side by side: there is no "
                              "artifact")));
}

TEST_F(RunVerdictTest, AgainstAnotherRunsArtifacts) {
  options_.output.out = JoinPath(dir_.path(), "base");
  options_.output.keep_artifacts = true;
  ASSERT_EQ(Run(), 0);
  options_.output.keep_artifacts = false;
  options_.comparison.against = options_.output.out;
  options_.output.out = "";
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kEquivalent);
  EXPECT_THAT(out_, HasSubstr("2 threads: the artifact is the same, bit by "
                              "bit; nothing to measure\n"));

  script_.scatter = 0.002;
  script_.build = "second";
  script_.slowness["second"] = 1.02;
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(OnlyVerdict(), Verdict::kRegressed);
  EXPECT_NEAR(result_.rows[0].comparison.paired->change, 0.02, 0.002);
  EXPECT_THAT(result_.rows[0].reason,
              HasSubstr("; most of it in k000_conv_relu (conv1): +0."));
  EXPECT_THAT(out_, HasSubstr("attribution of the change to kernels"));
  script_.slowness["second"] = 1.002;  // inside the margin
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kEquivalent);
  EXPECT_FALSE(result_.rows[0].comparison.paired->tail_slower);
  EXPECT_THAT(out_, Not(HasSubstr("the tail is slower")));

  // The median does not show that one of eight inferences is slower.
  script_.hiccups["second"] = 8;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kEquivalent);
  EXPECT_TRUE(result_.rows[0].comparison.paired->tail_slower);
  EXPECT_THAT(out_, HasSubstr("; the tail is slower: "));
  script_.hiccups.clear();

  // With many cells, each needs more evidence, to control false discoveries.
  // The change is larger than the noise, so every load is evidence of a
  // slow-down.
  script_.slowness["second"] = 1.5;
  script_.scatter = 0.02;
  EXPECT_EQ(Run(), 1);
  const size_t of_one = result_.rows[0].comparison.paired->base_ns.size();
  models_ = std::vector<std::string>(60, "net");
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(result_.rows.size(), 60u);
  EXPECT_GT(result_.rows[0].comparison.paired->base_ns.size(), of_one);
  models_ = {"net"};

  environment_.state["kernel"] = "6.2";
  Run();
  EXPECT_THAT(out_, HasSubstr("this machine changed since `"));
  EXPECT_THAT(out_,
              HasSubstr("`: kernel: 6.2, was 6.1; both are measured now"));
  environment_.fingerprint = "another";
  Run();
  EXPECT_THAT(out_, HasSubstr("` is of another machine, x86_64-fake"));

  script_.outputs["first"] = 7;
  EXPECT_EQ(Run(), 3);
  EXPECT_THAT(result_.rows[0].reason,
              HasSubstr("that it is compared with gives a wrong answer"));
  script_.outputs.clear();

  options_.matrix.threads = {1};
  EXPECT_EQ(Run(), 3);
  EXPECT_THAT(result_.rows[0].reason, HasSubstr("has no such row"));
  options_.comparison.against = JoinPath(dir_.path(), "nothing");
  EXPECT_EQ(Run(), 2);
}

TEST_F(RunVerdictTest, OnlyTheKernelsOfANodeAreJudged) {
  options_.output.out = JoinPath(dir_.path(), "base");
  options_.output.keep_artifacts = true;
  ASSERT_EQ(Run(), 0);
  options_.comparison.against = options_.output.out;
  options_.output = {};
  script_.scatter = 0.002;
  script_.build = "second";
  script_.slowness["second"] = 1.02;
  options_.comparison.nodes = {"conv1"};
  EXPECT_EQ(Run(), 1);
  const reports::Row& row = result_.rows.at(0);
  EXPECT_THAT(row.reason, HasSubstr("only the kernels of `conv1` were judged"));
  EXPECT_THAT(row.reproduce, HasSubstr(" --node=conv1"));
  ASSERT_TRUE(row.comparison.paired.has_value());
  EXPECT_THAT(row.comparison.paired->nodes, ElementsAre("conv1"));
  EXPECT_GT(row.comparison.paired->seconds, 0);
  EXPECT_FALSE(row.comparison.paired->attribution.has_value());

  options_.comparison.nodes = {"conv7"};
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInconclusive);
  EXPECT_THAT(result_.rows[0].reason,
              HasSubstr("no kernel of both artifacts computes `conv7`"));
}

TEST_F(RunVerdictTest, UndecidedRowIsAttributedOnRequest) {
  options_.output.out = JoinPath(dir_.path(), "base");
  options_.output.keep_artifacts = true;
  ASSERT_EQ(Run(), 0);
  options_.comparison.against = options_.output.out;
  options_.output = {};
  script_.build = "second";
  // One load decides nothing.
  options_.comparison.budget_s = options_.comparison.max_budget_s = 1e-6;
  EXPECT_EQ(Run(), 3);
  EXPECT_FALSE(result_.rows[0].comparison.paired->attribution.has_value());
  options_.comparison.attribute_undecided = true;
  EXPECT_EQ(Run(), 3);
  EXPECT_TRUE(result_.rows[0].comparison.paired->attribution.has_value());
}

// Only the placement of the same kernels can differ, unless the runtimes do.
TEST_F(RunVerdictTest, SameMachineCodeIsNotARegression) {
  options_.output.out = JoinPath(dir_.path(), "base");
  options_.output.keep_artifacts = true;
  script_.code_digest = "same";
  ASSERT_EQ(Run(), 0);
  options_.comparison.against = options_.output.out;
  options_.output.out = "";
  options_.output.keep_artifacts = false;
  script_.build = "second";
  script_.slowness["second"] = 1.5;
  script_.scatter = 0.002;
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInconclusive);
  EXPECT_THAT(result_.rows[0].reason,
              HasSubstr("all kernels are the same machine code"));
  options_.comparison.against_runtime = "bench_artifact";
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(OnlyVerdict(), Verdict::kRegressed);
}

TEST_F(RunVerdictTest, FailedCanaryMakesRowsInconclusive) {
  BlessOnce();
  script_.build = "second";
  script_.slowness["second"] = 1.5;
  const int threads = 2;
  canary_ = {{0, threads, false, Verdict::kEquivalent, "0.1 % slower"},
             {0.02, threads, false, Verdict::kRegressed, "2.1 % slower"}};
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(result_.canary, *canary_);
  EXPECT_THAT(
      out_,
      HasSubstr("canary: with 2 % more work, 2 threads: regressed: 2.1 %"));
  canary_->at(1).verdict = Verdict::kEquivalent;
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInconclusive);
  EXPECT_THAT(out_, HasSubstr("are not reliable"));
  canary_->at(1).verdict = Verdict::kRegressed;
  canary_->at(0).verdict = Verdict::kImproved;
  EXPECT_EQ(Run(), 3);
  // The canary does not run if nothing is measured side by side.
  script_.build = "first";
  EXPECT_EQ(Run(), 0);
  EXPECT_TRUE(result_.canary.empty());
}

TEST_F(RunVerdictTest, UsageErrorsExitWith2BeforeRun) {
  options_.matrix.devices = {"nosuch"};
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("there is no device `nosuch`"));
  EXPECT_THAT(script_.log, ElementsAre());

  options_.matrix.devices = {"host"};
  script_.load_model = absl::UnimplementedError("node `a`: operator `Foo`");
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(message_, "node `a`: operator `Foo`");
  script_.load_model = absl::OkStatus();

  script_.compile = absl::UnimplementedError("no schedule for `a`");
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(script_.log, ElementsAre("compile host on"));
  script_.compile = absl::OkStatus();

  const std::string path =
      reports::BaselinePath(baselines_, "net", environment_.fingerprint);
  ASSERT_TRUE(MakeDirs(JoinPath(baselines_, "net")).ok());
  ASSERT_TRUE(WriteFileAtomic(path, "model,nonsense\n").ok());
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr(path));
  EXPECT_THAT(script_.log, ElementsAre());

  options_.output.out = "/proc/no/such/folder";
  EXPECT_EQ(Run(), 2);
}

TEST_F(RunVerdictTest, NothingConclusiveExitsWith3) {
  options_.comparison.require_baseline = true;
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  options_.comparison.require_baseline = false;

  options_.timing.repeat = 5;
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInconclusive);
  EXPECT_THAT(out_, HasSubstr("the run has 5 samples; at least 6"));
  options_.comparison.bless = "as it should be";
  EXPECT_EQ(Run(), 3);
  EXPECT_THAT(out_, HasSubstr("nothing to bless"));
  options_.timing.repeat.reset();

  BlessOnce();
  script_.samples = {4, 8, 12, 16, 4, 20};
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInconclusive);

  script_.samples = {20, 20, 20, 20, 20, 20};
  environment_.state["kernel"] = "6.2";
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kEnvironmentChanged);
  EXPECT_THAT(result_.rows[0].reason, HasSubstr("(kernel: 6.2, was 6.1"));
}

TEST_F(RunVerdictTest, WrongOutputExitsWith4AndIsNotTimed) {
  script_.output = 1.5;
  EXPECT_EQ(Run(), 4);
  EXPECT_EQ(OnlyVerdict(), Verdict::kWrongOutput);
  // The noise is measured for the first example, which is wrong.
  EXPECT_THAT(script_.log, ElementsAre("compile host on", "reference",
                                       "reference", "reference", "evaluate",
                                       "reference", "noise", "noise", "noise"));
  EXPECT_TRUE(result_.rows[0].timing.samples_ns.empty());
  EXPECT_EQ(result_.rows[0].correctness.max_abs_error, 0.5);
  EXPECT_THAT(out_, HasSubstr("element 0 of output `y` is 1.5"));
  options_.comparison.bless = "as it should be";
  EXPECT_EQ(Run(), 4);
}

TEST_F(RunVerdictTest, RoundingNoiseWidensTheBound) {
  script_.output = 1.0005f;
  script_.output_after = script_.output;
  EXPECT_EQ(Run(), 4);
  script_.noisy_output = 1.0001f;
  EXPECT_EQ(Run(), 0);
  EXPECT_NEAR(result_.rows[0].correctness.max_abs_error_bound.value(), 8e-4,
              1e-6);
  EXPECT_THAT(out_, HasSubstr("1 of 1 elements of output `y` needed this: "
                              "rounding alone changes 1 of 1 elements by up to "
                              "1.0e-04, so errors of up to 8.0e-04 instead"));
  // Of three examples, each is measured once.
  EXPECT_EQ(std::count(script_.log.begin(), script_.log.end(), "noise"), 9);
}

TEST_F(RunVerdictTest, OutputThatChangesWhileTimedIsWrong) {
  // The outputs are within the bound but not bitwise equal.
  script_.output_after = 1.00001f;
  EXPECT_EQ(Run(), 4);
  EXPECT_EQ(OnlyVerdict(), Verdict::kWrongOutput);
  EXPECT_TRUE(result_.rows[0].timing.samples_ns.empty());
}

TEST_F(RunVerdictTest, DeviceFailureExitsWith5) {
  const std::pair<const char*, absl::Status*> kSteps[] = {
      {"compile", &script_.compile}, {"reference", &script_.reference},
      {"load", &script_.load},       {"evaluate", &script_.evaluate},
      {"measure", &script_.measure},
  };
  for (const auto& [name, status] : kSteps) {
    *status = absl::InternalError("the disk is on fire");
    EXPECT_EQ(Run(), 5) << name;
    EXPECT_EQ(OnlyVerdict(), Verdict::kInfrastructure) << name;
    EXPECT_THAT(out_, HasSubstr("the disk is on fire")) << name;
    EXPECT_TRUE(result_.rows[0].timing.samples_ns.empty()) << name;
    *status = absl::OkStatus();
  }
  script_.samples.clear();
  EXPECT_EQ(Run(), 5);
}

TEST_F(RunVerdictTest, EmulatedRowsHaveNoBaseline) {
  BlessOnce();
  options_.matrix.devices = {"board"};
  options_.matrix.threads = {2};
  script_.samples = {999};
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kEmulated);
  EXPECT_FALSE(result_.rows[0].comparison.baseline_ms.has_value());
  EXPECT_THAT(result_.rows[0].fingerprint, HasSubstr("emulated-board-"));
  EXPECT_THAT(out_, HasSubstr("board (emulated)"));

  options_.comparison.require_baseline = true;
  EXPECT_EQ(Run(), 3);
  options_.comparison.require_baseline = false;

  options_.comparison.bless = "as it should be";
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("an emulator's times are no baseline"));

  // With a real and an emulated device, only rows of the real one are stored.
  options_.matrix.devices = {"host", "board"};
  script_.samples = {10, 10, 10, 10, 10, 10};
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, HasSubstr("blessed 1 of 2 rows"));
  const auto stored = ReadFile(
      reports::BaselinePath(baselines_, "net", environment_.fingerprint));
  ASSERT_TRUE(stored.ok());
  EXPECT_THAT(*stored, Not(HasSubstr("board")));
}

TEST_F(RunVerdictTest, AnotherModelOfTheSameNameHasNoBaseline) {
  BlessOnce();
  const std::string path =
      reports::BaselinePath(baselines_, "net", environment_.fingerprint);
  reports::Baseline rows = *reports::ReadBaseline(path);
  rows[0].model_digest = "another";
  ASSERT_TRUE(reports::UpdateBaseline(path, rows).ok());
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  EXPECT_THAT(result_.rows[0].reason, HasSubstr("another model"));
}

TEST_F(RunVerdictTest, OneFailingRowDoesNotStopTheOthers) {
  options_.matrix.fusion = {true, false};
  script_.measure = absl::UnavailableError("the board is gone");
  EXPECT_EQ(Run(), 5);
  EXPECT_EQ(result_.rows.size(), 2u);
}

}  // namespace
}  // namespace assay::suites
