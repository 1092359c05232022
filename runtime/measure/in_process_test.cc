#include "runtime/measure/in_process.h"

#include <cmath>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"

namespace assay::runtime {
namespace {

class InProcessTest : public testing::Test {
 protected:
  std::unique_ptr<Session> Load(std::vector<const Artifact*> artifacts) {
    auto session = runner_.Load(artifacts, {/*threads=*/2});
    EXPECT_TRUE(session.ok()) << session.status();
    return *std::move(session);
  }
  float Output(Session& session, int program) {
    const auto sample = RunOnce(session, program);
    EXPECT_TRUE(sample.ok()) << sample.status();
    return sample->outputs[0].value.data<float>()[9];
  }
  static float Expected(const NamedTensors& inputs) {
    return 2 * (inputs[0].value.data<float>()[9] + 9.0f) +
           inputs[1].value.data<float>()[9];
  }

  InProcessRunner runner_;
  const Artifact artifact_ = TestArtifact();
};

TEST_F(InProcessTest, RunsOnThisMachine) {
  const std::unique_ptr<Session> session = Load({&artifact_});
  EXPECT_EQ(session->threads(), 2);
  EXPECT_FALSE(session->facts().emulated);
  EXPECT_EQ(session->facts().fingerprint, runner_.facts().fingerprint);
  EXPECT_FALSE(RunOnce(*session).ok());  // no inputs yet
  const NamedTensors inputs = SeededInputs(artifact_, 1);
  ASSERT_TRUE(session->SetInputs(inputs).ok());
  EXPECT_EQ(Output(*session, 0), Expected(inputs));
  const auto calls =
      TimeCalls(*session, /*program=*/0, /*flush_cache_bytes=*/1 << 16);
  ASSERT_TRUE(calls.ok()) << calls.status();
  EXPECT_EQ(calls->size(), 3u);
}

TEST_F(InProcessTest, TwoProgramsShareInputs) {
  Artifact lazy = artifact_;
  lazy.calls.back().symbol = "test_lazy_add";
  const std::unique_ptr<Session> session = Load({&artifact_, &lazy});
  ASSERT_TRUE(session->SetInputs(SeededInputs(artifact_, 1)).ok());
  Output(*session, 1);  // the only run in which it computes its output
  for (const uint64_t seed : {1, 2}) {
    const NamedTensors inputs = SeededInputs(artifact_, seed);
    ASSERT_TRUE(session->SetInputs(inputs).ok());
    EXPECT_EQ(Output(*session, 0), Expected(inputs));
    // This program does not write its output, even in memory where the other
    // one has just stored the correct result.
    EXPECT_TRUE(std::isnan(Output(*session, 1)));
  }
}

TEST_F(InProcessTest, ReplacesTheSecondProgram) {
  Artifact lazy = artifact_;
  lazy.calls.back().symbol = "test_lazy_add";
  const std::unique_ptr<Session> session = Load({&artifact_, &lazy});
  const NamedTensors inputs = SeededInputs(artifact_, 1);
  ASSERT_TRUE(session->SetInputs(inputs).ok());
  Output(*session, 1);
  EXPECT_TRUE(std::isnan(Output(*session, 1)));
  ASSERT_TRUE(session->Replace(artifact_).ok());
  // The inputs are still set.
  EXPECT_EQ(Output(*session, 1), Expected(inputs));
  EXPECT_EQ(Output(*session, 0), Expected(inputs));
  const NamedTensors others = SeededInputs(artifact_, 2);
  ASSERT_TRUE(session->SetInputs(others).ok());
  EXPECT_EQ(Output(*session, 1), Expected(others));

  Artifact large = lazy;
  large.arena_bytes += int64_t{1} << 28;
  EXPECT_TRUE(absl::IsUnimplemented(session->Replace(large)));
  Artifact invalid = artifact_;
  invalid.calls.back().symbol = "missing";
  EXPECT_FALSE(session->Replace(invalid).ok());
  EXPECT_EQ(Output(*session, 1), Expected(others));
  EXPECT_TRUE(absl::IsUnimplemented(Load({&artifact_})->Replace(artifact_)));
}

// Each reading of the clock takes a microsecond.
class TickingClock : public FakeClock {
 public:
  int64_t NowNanos() override {
    Advance(1000);
    return FakeClock::NowNanos();
  }
};

TEST_F(InProcessTest, TimesTheLoadingOfTheFirstProgram) {
  TickingClock clock;
  InProcessRunner runner(&clock);
  auto session = runner.Load({&artifact_, &artifact_}, {/*threads=*/1});
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_EQ((*session)->LoadNanos().value(), 1000);
}

TEST_F(InProcessTest, LoadsFromTheBytesIfTheirTimeIsWanted) {
  LoadOptions options;
  options.from_bytes = true;
  auto session = runner_.Load({&artifact_}, options);
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_GT((*session)->LoadNanos().value(), 0);
  const NamedTensors inputs = SeededInputs(artifact_, 1);
  ASSERT_TRUE((*session)->SetInputs(inputs).ok());
  EXPECT_EQ(Output(**session, 0), Expected(inputs));
  // The parser rejects what no file can contain; the executor does not read it.
  Artifact other = artifact_;
  other.tensors[0].location = static_cast<Location>(9);
  EXPECT_FALSE(runner_.Load({&other}, options).ok());
}

TEST_F(InProcessTest, TakesNothingButParameters) {
  TickingClock clock;
  InProcessRunner runner(&clock);
  Artifact taken = artifact_;
  taken.params.resize(kLargeBytes);
  const auto session = runner.LoadAndTake(&taken, {/*threads=*/1});
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_EQ((*session)->LoadNanos().value(), 1000);
  EXPECT_TRUE(taken.params.empty());
  taken.params = artifact_.params;
  EXPECT_TRUE(taken == artifact_);
  const NamedTensors inputs = SeededInputs(artifact_, 1);
  ASSERT_TRUE((*session)->SetInputs(inputs).ok());
  EXPECT_EQ(Output(**session, 0), Expected(inputs));

  taken.tensors[0].location = static_cast<Location>(9);
  EXPECT_FALSE(runner.LoadAndTake(&taken, {/*threads=*/1}).ok());
}

// Even if the parameters are copied to chosen addresses.
TEST_F(InProcessTest, TakesParametersInSpiteOfASeed) {
  LoadOptions options;
  options.placement_seed = 3;
  Artifact taken = artifact_;
  const auto session = runner_.LoadAndTake(&taken, options);
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_TRUE(taken.params.empty());
  const NamedTensors inputs = SeededInputs(artifact_, 1);
  ASSERT_TRUE((*session)->SetInputs(inputs).ok());
  EXPECT_EQ(Output(**session, 0), Expected(inputs));
}

TEST_F(InProcessTest, RunsArtifactsWithSetupCalls) {
  const Artifact setup = TestSetupArtifact();
  const NamedTensors inputs = SeededInputs(artifact_, 1);
  for (const uint64_t seed : {0, 3}) {
    LoadOptions options;
    options.placement_seed = seed;
    for (const std::vector<const Artifact*>& artifacts :
         std::vector<std::vector<const Artifact*>>{
             {&setup}, {&setup, &setup}, {&artifact_, &setup}}) {
      const auto session = runner_.Load(artifacts, options);
      ASSERT_TRUE(session.ok()) << session.status();
      ASSERT_TRUE((*session)->SetInputs(inputs).ok());
      const int last = static_cast<int>(artifacts.size()) - 1;
      EXPECT_EQ(Output(**session, last), Expected(inputs));
      EXPECT_EQ(TimeCalls(**session, last)->size(), 3u);
      if (last == 0) continue;
      ASSERT_TRUE((*session)->Replace(setup).ok());
      EXPECT_EQ(Output(**session, 1), Expected(inputs));
      EXPECT_EQ(Output(**session, 0), Expected(inputs));
    }
    Artifact taken = setup;
    const auto session = runner_.LoadAndTake(&taken, options);
    ASSERT_TRUE(session.ok()) << session.status();
    ASSERT_TRUE((*session)->SetInputs(inputs).ok());
    EXPECT_EQ(Output(**session, 0), Expected(inputs));
  }
}

}  // namespace
}  // namespace assay::runtime
