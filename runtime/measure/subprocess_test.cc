#include "runtime/measure/subprocess.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"

namespace assay::runtime {
namespace {

using ::testing::HasSubstr;

constexpr char kProgram[] = "runtime/tools/bench_artifact";

class SubprocessRunnerTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<Session>> Load(
      std::vector<std::string> command, double time_limit_s = 60) {
    SubprocessOptions options;
    options.command = std::move(command);
    options.time_limit_s = time_limit_s;
    options.facts.fingerprint = "emulated-board";
    options.facts.emulated = true;
    return SubprocessRunner(options).Load({&artifact_}, {1});
  }

  // A session with a shell script in place of the program. The script answers
  // requests by the commands of `cases`, the branches of a `case` statement.
  std::unique_ptr<Session> Script(const std::string& cases,
                                  double time_limit_s = 60) {
    auto session =
        Load({"/bin/sh", "-c",
              absl::StrCat(
                  "echo ready 4; while read -r verb rest; do case $verb in ",
                  cases, " *) echo ok;; esac; done")},
             time_limit_s);
    EXPECT_TRUE(session.ok()) << session.status();
    return *std::move(session);
  }
  std::string Error(const std::string& cases, double time_limit_s = 60) {
    return std::string(
        RunOnce(*Script(cases, time_limit_s)).status().message());
  }

  const Artifact artifact_ = TestArtifact();
};

TEST_F(SubprocessRunnerTest, TwoProgramsAlternate) {
  auto a = Load({kProgram});
  auto b = Load({kProgram});
  ASSERT_TRUE(a.ok()) << a.status();
  ASSERT_TRUE(b.ok()) << b.status();
  EXPECT_EQ((*a)->threads(), 1);
  ASSERT_TRUE((*a)->SetInputs(SeededInputs(artifact_, 1)).ok());
  ASSERT_TRUE((*b)->SetInputs(SeededInputs(artifact_, 2)).ok());
  Block block;
  block.samples = {{0, 5, /*warmup_runs=*/1}, {0, 5}, {0, 5}};
  block.read_outputs = true;
  float last[2];
  for (int i = 0; i < 2; ++i) {
    Session& session = i == 0 ? **a : **b;
    const auto samples = session.RunBlock(block);
    ASSERT_TRUE(samples.ok()) << samples.status();
    EXPECT_EQ(samples->size(), 3u);
    for (const Sample& sample : *samples) EXPECT_GT(sample.nanos, 0);
    last[i] = samples->back().outputs[0].value.data<float>()[9];
    const auto calls = session.TimeCalls(0);
    ASSERT_TRUE(calls.ok()) << calls.status();
    EXPECT_EQ(calls->size(), 3u);
  }
  EXPECT_NE(last[0], last[1]);
  ASSERT_TRUE((*a)->SetInputs(SeededInputs(artifact_, 2)).ok());
  EXPECT_EQ(RunOnce(**a)->outputs[0].value.data<float>()[9], last[1]);
}

TEST_F(SubprocessRunnerTest, SamplesTakeTheMinimumTime) {
  auto session = Load({kProgram});
  ASSERT_TRUE(session.ok()) << session.status();
  ASSERT_TRUE((*session)->SetInputs(SeededInputs(artifact_, 1)).ok());
  Block block;
  block.samples = {{}, {}};
  block.min_sample_nanos = 2'000'000;
  const auto samples = (*session)->RunBlock(block);
  ASSERT_TRUE(samples.ok()) << samples.status();
  for (const Sample& sample : *samples) {
    EXPECT_GE(sample.nanos, 2'000'000);
    EXPECT_GT(sample.number, 1);
  }
}

TEST_F(SubprocessRunnerTest, ErrorsNameTheProgram) {
  const auto missing = Load({"no/such/program"});
  EXPECT_THAT(std::string(missing.status().message()),
              HasSubstr("no/such/program"));
  const auto other = Load({"/bin/true"});
  EXPECT_THAT(std::string(other.status().message()), HasSubstr("/bin/true"));
  const auto chatty = Load({"/bin/echo", "hello"});
  EXPECT_THAT(std::string(chatty.status().message()),
              HasSubstr("instead of `ready THREADS`"));
}

TEST_F(SubprocessRunnerTest, TwoArtifactsAreUnimplemented) {
  EXPECT_TRUE(absl::IsUnimplemented(
      SubprocessRunner({}).Load({&artifact_, &artifact_}, {1}).status()));
}

TEST_F(SubprocessRunnerTest, ReportsTheThreadsOfTheProgramAndTheGivenFacts) {
  const std::unique_ptr<Session> session = Script("");
  EXPECT_EQ(session->threads(), 4);
  EXPECT_EQ(session->facts().fingerprint, "emulated-board");
  EXPECT_TRUE(session->facts().emulated);
}

TEST_F(SubprocessRunnerTest, FailuresQuoteTheProgram) {
  EXPECT_EQ(Error("run) echo no memory >&2; exit 5;;"),
            "`/bin/sh` exited with 5 without an answer; it wrote: no memory");
  EXPECT_THAT(Error("run) kill -11 $$;;"), HasSubstr("died of signal 11"));
  EXPECT_THAT(Error("run) sleep 60;;", 0.5),
              HasSubstr("did not answer within 0.5 s"));
  EXPECT_EQ(Error("run) echo error the kernel failed;;"),
            "bench_artifact, asked to `run 1`: error the kernel failed");
}

TEST_F(SubprocessRunnerTest, RejectsMalformedAnswers) {
  EXPECT_THAT(Error("run) echo ok fast;;"), HasSubstr("unexpected answer"));
  EXPECT_THAT(Error("run) echo ok -5;;"), HasSubstr("unexpected answer"));
  EXPECT_THAT(Error("run) echo ok 5 6;;"), HasSubstr("unexpected answer"));
  EXPECT_THAT(Error("run) echo;;"), HasSubstr("asked to `run 1`"));
  EXPECT_THAT(Error("run) echo ok 0;;"), HasSubstr("nothing to measure"));
  // No outputs, and outputs that are not tensors.
  EXPECT_THAT(Error("run) echo ok 5;;"), HasSubstr("outputs"));
  EXPECT_THAT(Error("run) echo ok 5;; outputs) echo x > $rest; echo ok;;"),
              HasSubstr("outputs"));
}

}  // namespace
}  // namespace assay::runtime
