#include "runtime/measure/subprocess.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"
#include "runtime/measure/block_text.h"

namespace assay::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kProgram[] = "runtime/tools/bench_artifact";

class SubprocessRunnerTest : public testing::Test {
 protected:
  static SubprocessOptions Options(std::vector<std::string> command) {
    SubprocessOptions options;
    options.command = std::move(command);
    options.time_limit_s = 60;
    options.facts.fingerprint = "emulated-board";
    options.facts.emulated = true;
    return options;
  }
  absl::StatusOr<std::unique_ptr<Session>> Load(
      std::vector<std::string> command) {
    return SubprocessRunner(Options(std::move(command)))
        .Load({&artifact_}, {/*threads=*/1});
  }
  // A session with a shell script in place of the program. The script answers
  // requests by the commands of `cases`, the branches of a `case` statement.
  std::unique_ptr<Session> Script(const std::string& cases,
                                  double time_limit_s = 60) {
    SubprocessOptions options = Options(
        {"/bin/sh", "-c",
         absl::StrCat(
             "echo protocol 2; echo ready 4; while read -r verb rest; do "
             "case $verb in ",
             cases, " *) echo ok;; esac; done")});
    options.time_limit_s = time_limit_s;
    auto session = SubprocessRunner(options).Load({&artifact_}, {1});
    EXPECT_TRUE(session.ok()) << session.status();
    return session.ok() ? *std::move(session) : nullptr;
  }
  // A session with a script that answers blocks by these commands.
  std::unique_ptr<Session> BlockScript(const std::string& commands,
                                       double time_limit_s = 60) {
    return Script(absl::StrCat("block) ", commands, ";;"), time_limit_s);
  }
  // Returns the error of a block that the script answers by these commands.
  absl::Status BlockStatus(const std::string& commands,
                           double time_limit_s = 60) {
    const auto session = BlockScript(commands, time_limit_s);
    return session == nullptr ? absl::UnknownError("there is no session")
                              : RunOnce(*session).status();
  }
  std::string BlockError(const std::string& commands) {
    return std::string(BlockStatus(commands).message());
  }

  const Artifact artifact_ = TestArtifact();
};

TEST_F(SubprocessRunnerTest, TwoProcessesShareMemory) {
  SubprocessOptions options = Options({kProgram});
  options.one_artifact = true;
  SubprocessRunner runner(options);
  EXPECT_TRUE(runner.SharesMemory());
  const auto folder = TempDir::CreateInMemory();
  ASSERT_TRUE(folder.ok()) << folder.status();
  LoadOptions load;
  load.threads = 1;
  load.placement_seed = 7;
  load.shared_memory = JoinPath(folder->path(), "memory");
  std::unique_ptr<Session> sessions[2];
  float result[2];
  for (const uint64_t i : {0, 1}) {
    auto session = runner.Load({&artifact_}, load);
    ASSERT_TRUE(session.ok()) << session.status();
    sessions[i] = *std::move(session);
    ASSERT_TRUE(sessions[i]->SetInputs(SeededInputs(artifact_, i)).ok());
    const auto sample = RunOnce(*sessions[i]);
    ASSERT_TRUE(sample.ok()) << sample.status();
    result[i] = sample->outputs[0].value.data<float>()[9];
  }
  EXPECT_NE(result[0], result[1]);
  // The inputs of the second process are those of the first one, too.
  EXPECT_EQ(RunOnce(*sessions[0])->outputs[0].value.data<float>()[9],
            result[1]);
}

TEST_F(SubprocessRunnerTest, EmulatedProgramsDoNotShareMemory) {
  EXPECT_FALSE(
      SubprocessRunner(Options({"/usr/bin/env", kProgram})).SharesMemory());
}

TEST_F(SubprocessRunnerTest, TwoProcessesAlternate) {
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
    const auto calls = TimeCalls(session);
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
              HasSubstr("instead of `protocol VERSION`"));
}

TEST_F(SubprocessRunnerTest, TwoArtifactsShareAProcess) {
  Artifact lazy = artifact_;
  lazy.calls.back().symbol = "test_lazy_add";
  SubprocessRunner runner(Options({kProgram}));
  auto loaded = runner.Load({&artifact_, &lazy}, {/*threads=*/1});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  Session& session = **loaded;
  const NamedTensors inputs = SeededInputs(artifact_, 1);
  ASSERT_TRUE(session.SetInputs(inputs).ok());
  // The only run in which the second program computes its output.
  ASSERT_TRUE(RunOnce(session, 1).ok());
  Block block;
  block.samples = {{0, 2}, {1, 2, /*warmup_runs=*/1}, {0, 1}};
  block.read_outputs = true;
  block.checked_run_seed = uint64_t{1} << 63;
  block.time_calls = true;
  const auto samples = session.RunBlock(block);
  ASSERT_TRUE(samples.ok()) << samples.status();
  ASSERT_EQ(samples->size(), 3u);
  const float expected = 2 * (inputs[0].value.data<float>()[9] + 9.0f) +
                         inputs[1].value.data<float>()[9];
  const auto output = [&](size_t i) {
    return (*samples)[i].outputs[0].value.data<float>()[9];
  };
  EXPECT_EQ(output(0), expected);
  EXPECT_TRUE(std::isnan(output(1)));
  EXPECT_EQ(output(2), expected);
  EXPECT_EQ((*samples)[1].number, 2);
  EXPECT_THAT((*samples)[1].call_nanos, IsEmpty());
  EXPECT_EQ((*samples)[2].call_nanos.size(), 3u);
  for (int program : {0, 1}) {
    const auto calls = TimeCalls(session, program);
    ASSERT_TRUE(calls.ok()) << calls.status();
    EXPECT_EQ(calls->size(), 3u);
  }
}

TEST_F(SubprocessRunnerTest, ReplacesTheSecondProgram) {
  Artifact lazy = artifact_;
  lazy.calls.back().symbol = "test_lazy_add";
  SubprocessRunner runner(Options({kProgram}));
  auto session = runner.Load({&artifact_, &artifact_}, {/*threads=*/1});
  ASSERT_TRUE(session.ok()) << session.status();
  ASSERT_TRUE((*session)->SetInputs(SeededInputs(artifact_, 1)).ok());
  ASSERT_TRUE((*session)->Replace(lazy).ok());
  ASSERT_TRUE(RunOnce(**session, 1).ok());
  const auto stale = RunOnce(**session, 1);
  ASSERT_TRUE(stale.ok()) << stale.status();
  EXPECT_TRUE(std::isnan(stale->outputs[0].value.data<float>()[9]));

  Artifact large = artifact_;
  large.arena_bytes += int64_t{1} << 28;
  EXPECT_TRUE(absl::IsUnimplemented((*session)->Replace(large)));
  EXPECT_TRUE(RunOnce(**session, 1).ok());  // can be used after the error
  auto one = Load({kProgram});
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_TRUE(absl::IsUnimplemented((*one)->Replace(artifact_)));
}

TEST_F(SubprocessRunnerTest, RefusesTwoArtifacts) {
  SubprocessOptions options = Options({kProgram});
  options.one_artifact = true;
  EXPECT_TRUE(absl::IsUnimplemented(
      SubprocessRunner(options).Load({&artifact_, &artifact_}, {1}).status()));
}

TEST_F(SubprocessRunnerTest, RefusesProgramsOfOtherVersions) {
  const std::string script = "echo ready 1; read -r x";
  EXPECT_TRUE(absl::IsFailedPrecondition(
      Load({"/bin/sh", "-c", script, "bench"}).status()));
  LoadOptions deferred;
  deferred.deferred = true;
  const auto session = SubprocessRunner(Options({"/bin/sh", "-c", script}))
                           .Load({&artifact_}, deferred);
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_TRUE(absl::IsFailedPrecondition(
      (*session)->SetInputs(SeededInputs(artifact_, 1))));
}

// The request is longer than the buffer of a pipe.
TEST_F(SubprocessRunnerTest, LongBlocksAreOneRequest) {
  auto session = Load({kProgram});
  ASSERT_TRUE(session.ok()) << session.status();
  ASSERT_TRUE((*session)->SetInputs(SeededInputs(artifact_, 1)).ok());
  Block block;
  block.samples.resize(20000);
  const auto samples = (*session)->RunBlock(block);
  ASSERT_TRUE(samples.ok()) << samples.status();
  EXPECT_EQ(samples->size(), 20000u);
}

TEST_F(SubprocessRunnerTest, FlushesCaches) {
  auto session = Load({kProgram});
  ASSERT_TRUE(session.ok()) << session.status();
  ASSERT_TRUE((*session)->SetInputs(SeededInputs(artifact_, 1)).ok());
  Block block;
  block.samples = {{}};
  block.flush_cache_bytes = 1 << 16;
  EXPECT_TRUE((*session)->RunBlock(block).ok());
  block.flush_cache_bytes = -1;
  EXPECT_TRUE(absl::IsInvalidArgument((*session)->RunBlock(block).status()));
}

TEST_F(SubprocessRunnerTest, AsksForTheTimeOfLoading) {
  auto session = Load({kProgram});
  ASSERT_TRUE(session.ok()) << session.status();
  const auto nanos = (*session)->LoadNanos();
  ASSERT_TRUE(nanos.ok()) << nanos.status();
  EXPECT_GT(*nanos, 0);
  const auto script = Script("loaded) echo ok 7;;");
  ASSERT_NE(script, nullptr);
  EXPECT_EQ(script->LoadNanos().value(), 7);
  for (const char* answer : {"ok", "ok 0", "ok -1", "ok 1 2", "ok x"}) {
    const auto wrong = Script(absl::StrCat("loaded) echo ", answer, ";;"));
    ASSERT_NE(wrong, nullptr);
    EXPECT_TRUE(absl::IsInternal(wrong->LoadNanos().status())) << answer;
  }
}

TEST_F(SubprocessRunnerTest, AsksForThePeakOfTheMemory) {
  auto session = Load({kProgram});
  ASSERT_TRUE(session.ok()) << session.status();
  ASSERT_TRUE((*session)->SetInputs(SeededInputs(artifact_, 1)).ok());
  ASSERT_TRUE(RunOnce(**session).ok());
  const auto bytes = (*session)->PeakResidentBytes();
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_GT(*bytes, 1 << 20);
  EXPECT_LT(*bytes, 1 << 30);
  const auto script = Script("memory) echo ok 4096;;");
  ASSERT_NE(script, nullptr);
  EXPECT_EQ(script->PeakResidentBytes().value(), 4096);
  for (const char* answer : {"ok", "ok 0", "ok -1", "ok 1 2", "ok x"}) {
    const auto wrong = Script(absl::StrCat("memory) echo ", answer, ";;"));
    ASSERT_NE(wrong, nullptr);
    EXPECT_TRUE(absl::IsInternal(wrong->PeakResidentBytes().status()))
        << answer;
  }
  const auto older =
      Script("memory) echo 'fail INVALID_ARGUMENT `memory` is no step';;");
  ASSERT_NE(older, nullptr);
  EXPECT_TRUE(absl::IsUnimplemented(older->PeakResidentBytes().status()));
}

TEST_F(SubprocessRunnerTest, ErrorsOfBlocksKeepTheirCode) {
  auto session = Load({kProgram});
  ASSERT_TRUE(session.ok()) << session.status();
  Block block;
  block.samples = {{0, kMaxSampleRuns + 1}};
  const absl::Status status = (*session)->RunBlock(block).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("samples[0].number"));
  // Can be used after the error.
  EXPECT_TRUE((*session)->RunBlock(Block()).ok());
  NamedTensors unknown = SeededInputs(artifact_, 1);
  unknown.push_back({"q", unknown[0].value});
  EXPECT_TRUE(absl::IsNotFound((*session)->SetInputs(unknown)));

  EXPECT_EQ(BlockStatus("echo fail FAILED_PRECONDITION too fast"),
            absl::FailedPreconditionError(
                "bench_artifact, asked to `block`: too fast"));
  EXPECT_EQ(BlockStatus("echo fail DANCE now"),
            absl::InternalError("bench_artifact, asked to `block`: DANCE now"));
  EXPECT_EQ(
      BlockStatus("echo error no memory"),
      absl::InternalError("bench_artifact, asked to `block`: error no memory"));
}

TEST_F(SubprocessRunnerTest, RejectsMalformedAnswersToBlocks) {
  for (const char* answer :
       {"echo ok", "echo ok 7", "echo okay", "echo sample 5 1; echo ok 7",
        "echo sample 5 1; echo sample 5 1; echo ok"}) {
    EXPECT_EQ(BlockError(answer),
              "bench_artifact gave an unexpected answer to `block`")
        << answer;
  }
  EXPECT_THAT(BlockError("echo"), HasSubstr("asked to `block`"));
  EXPECT_THAT(BlockError("echo sample 0 1"), HasSubstr("is not a sample"));
  EXPECT_THAT(BlockError("echo sample 5 fast"), HasSubstr("is not a sample"));
  // No outputs.
  EXPECT_THAT(BlockError("echo sample 5 1; echo ok"), HasSubstr("outputs-0"));
  // Outputs that are no tensors. $rest is `{…"outputs_folder":"PATH",…}`.
  EXPECT_THAT(BlockError("f=${rest##*outputs_folder???}; "
                         "echo x > ${f%%?,*}/outputs-0; "
                         "echo sample 5 1; echo ok"),
              HasSubstr("not a tensor file"));
  Block block;
  block.samples = {{0, 5}};
  const auto session = BlockScript("echo sample 5 4; echo ok");
  ASSERT_NE(session, nullptr);
  EXPECT_FALSE(session->RunBlock(block).ok());  // fewer runs than requested
  const auto valid = BlockScript("echo sample 5 6 2 3; echo ok");
  ASSERT_NE(valid, nullptr);
  const auto samples = valid->RunBlock(block);
  ASSERT_TRUE(samples.ok()) << samples.status();
  EXPECT_EQ(samples->at(0).nanos, 5);
  EXPECT_EQ(samples->at(0).number, 6);
  EXPECT_THAT(samples->at(0).call_nanos, ElementsAre(2, 3));
}

TEST_F(SubprocessRunnerTest, TheTimeLimitIsThatOfTheWholeBlock) {
  for (const char* commands :
       {"sleep 60", "while sleep 0.1; do echo sample 5 1; done"}) {
    Block block;
    block.samples.resize(1000);
    // The limit is also that of the start of the shell.
    const auto session = BlockScript(commands, /*time_limit_s=*/5);
    ASSERT_NE(session, nullptr);
    const absl::Status late = session->RunBlock(block).status();
    EXPECT_TRUE(absl::IsDeadlineExceeded(late)) << late;
    EXPECT_THAT(std::string(late.message()), HasSubstr("did not answer"));
    // A later answer could be that to the block.
    EXPECT_EQ(session->RunBlock(Block()).status(), late);
  }
}

TEST_F(SubprocessRunnerTest, ReportsTheThreadsOfTheProgramAndTheGivenFacts) {
  const std::unique_ptr<Session> session = Script("");
  ASSERT_NE(session, nullptr);
  EXPECT_EQ(session->threads(), 4);
  EXPECT_EQ(session->facts().fingerprint, "emulated-board");
  EXPECT_TRUE(session->facts().emulated);
}

TEST_F(SubprocessRunnerTest, FailuresQuoteTheProgram) {
  EXPECT_EQ(BlockError("echo no memory >&2; exit 5"),
            "`/bin/sh` exited with 5 without an answer; it wrote: no memory");
  EXPECT_THAT(BlockError("kill -11 $$"), HasSubstr("died of signal 11"));
  EXPECT_THAT(
      std::string(BlockStatus("sleep 60", /*time_limit_s=*/5).message()),
      HasSubstr("did not answer within 5 s"));
}

}  // namespace
}  // namespace assay::runtime
