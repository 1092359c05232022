#include "suites/harness/runners/process_runner.h"

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/device/testdata/test_kernels.h"
#include "runtime/executor/seeded_inputs.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

constexpr char kProgram[] = "runtime/tools/bench_artifact";

class ProcessRunnerTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<Session>> Load(const char* program,
                                                uint64_t seed) {
    return ProcessRunner(program).Load(
        artifact_, runtime::SeededInputs(artifact_, seed), 1);
  }

  const runtime::Artifact artifact_ = runtime::TestArtifact();
};

TEST_F(ProcessRunnerTest, TwoProgramsTakeTurns) {
  auto a = Load(kProgram, 1);
  auto b = Load(kProgram, 2);
  ASSERT_TRUE(a.ok()) << a.status();
  ASSERT_TRUE(b.ok()) << b.status();
  EXPECT_EQ((*a)->threads(), 1);
  devices::TimingPolicy timing;
  timing.set_warmup(1);
  timing.set_number(5);
  timing.set_repeat(3);
  float first[2];
  for (int i = 0; i < 2; ++i) {
    Session& session = i == 0 ? **a : **b;
    const auto measured = session.Measure(timing);
    ASSERT_TRUE(measured.ok()) << measured.status();
    EXPECT_EQ(measured->samples_ms.size(), 3u);
    for (const double ms : measured->samples_ms) EXPECT_GT(ms, 0);
    first[i] = measured->outputs[0].value.data<float>()[9];
    const auto calls = session.TimeCalls();
    ASSERT_TRUE(calls.ok()) << calls.status();
    EXPECT_EQ(calls->size(), 3u);
  }
  EXPECT_NE(first[0], first[1]);
  ASSERT_TRUE((*a)->SetInputs(runtime::SeededInputs(artifact_, 2)).ok());
  EXPECT_EQ((*a)->Evaluate().value()[0].value.data<float>()[9], first[1]);
}

TEST_F(ProcessRunnerTest, AProgramThatIsNoneIsNamed) {
  const auto missing = Load("no/such/program", 1);
  EXPECT_THAT(std::string(missing.status().message()),
              HasSubstr("no/such/program"));
  const auto other = Load("/bin/true", 1);
  EXPECT_THAT(std::string(other.status().message()), HasSubstr("/bin/true"));
}

}  // namespace
}  // namespace assay::suites
