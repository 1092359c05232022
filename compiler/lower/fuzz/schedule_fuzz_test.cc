// Fuzz test: random programs with random legal schedules compute bitwise the
// same as without a schedule, before and after the tir passes; and the steps of
// the schedule, printed and parsed, give the same loops.
//
// A failure prints program, steps and loops. Rounds are independent: to run a
// single one, set kFirstRound.
#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/lower/fuzz/random_schedules.h"
#include "compiler/lower/lower.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/interpreter.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/printer.h"
#include "runtime/base/ndarray.h"

namespace assay::lower {
namespace {

using schedule::Schedule;
using schedule::Step;

constexpr uint64_t kSeed = 20240611;
constexpr int kFirstRound = 0;
constexpr int kRounds = 3500;

// The environment variable ASSAY_FUZZ_ROUNDS overrides the number of rounds.
int NumRounds() {
  const char* rounds = std::getenv("ASSAY_FUZZ_ROUNDS");
  return rounds == nullptr ? kRounds : std::atoi(rounds);
}

void ExpectRuns(const tir::Function& function,
                const std::vector<NDArray>& inputs,
                const std::vector<NDArray>& expected) {
  tir::InterpretOptions options;
  options.seed = kSeed;
  const auto results = tir::Interpret(function, inputs, options);
  ASSERT_TRUE(results.ok()) << results.status() << "\n"
                            << tir::ToString(function);
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(BitwiseEqual((*results)[i], expected[i]))
        << "output " << i << " of\n"
        << tir::ToString(function);
  }
}

// The index of a primitive in Step.
template <typename T>
size_t IndexOf() {
  return Step(T()).index();
}

// Number of uses of each primitive.
using Uses = std::vector<int>;

void RunRound(int round, Uses& uses) {
  const RandomCase random = MakeRandomCase(kSeed, round);
  const std::vector<NDArray>& inputs = random.values;
  const auto oracle =
      Lower(Schedule(random.outputs), "f", random.inputs, random.outputs);
  ASSERT_TRUE(oracle.ok()) << oracle.status();
  const auto expected = tir::Interpret(*oracle, inputs);
  ASSERT_TRUE(expected.ok()) << expected.status();

  for (const Step& step : random.steps) ++uses[step.index()];
  Schedule s = random.NewSchedule();
  ASSERT_TRUE(s.Replay(random.steps).ok());
  SCOPED_TRACE(absl::StrCat("seed ", kSeed, " round ", round, "\n",
                            te::ToString(random.outputs), s.ToString()));
  const auto loops = Lower(s, "f", random.inputs, random.outputs);
  // Only lowering knows the strides of an intrinsic's operands.
  if (absl::StrContains(loops.status().message(), "does not fit")) return;
  ASSERT_TRUE(loops.ok()) << loops.status();
  ExpectRuns(*loops, inputs, *expected);
  ExpectRuns(tir::LowerLoops(*loops), inputs, *expected);

  Schedule replayed = random.NewSchedule();
  const auto steps = schedule::ParseSteps(s.ToString());
  ASSERT_TRUE(steps.ok()) << steps.status();
  ASSERT_TRUE(replayed.Replay(*steps).ok());
  const auto again = Lower(replayed, "f", random.inputs, random.outputs);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(tir::ToString(*again), tir::ToString(*loops));
}

TEST(ScheduleFuzzTest, RandomSchedulesKeepResults) {
  Uses uses(std::variant_size_v<Step>);
  for (int round = kFirstRound; round < kFirstRound + NumRounds(); ++round) {
    RunRound(round, uses);
    if (HasFailure()) return;
  }
  for (size_t i = 0; i < uses.size(); ++i) {
    // No target supports these primitives.
    if (i == IndexOf<schedule::EnvThreads>() ||
        i == IndexOf<schedule::StorePredicate>()) {
      continue;
    }
    EXPECT_GT(uses[i], 0) << "of primitive " << i << " of schedule::Step";
  }
}

}  // namespace
}  // namespace assay::lower
