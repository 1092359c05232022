// Fuzz test: random programs with random legal schedules, compiled for the
// host, compute the same as the interpreter computes without a schedule.
// Kernels are compiled in batches, like those of a model. A failure prints
// program, steps and loops.
#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/codegen/codegen.h"
#include "compiler/codegen/llvm/testing/run_kernel.h"
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

constexpr uint64_t kSeed = 20250117;
constexpr int kRounds = 80;
constexpr int kBatch = 40;

// The environment variable ASSAY_FUZZ_ROUNDS overrides the number of rounds.
int NumRounds() {
  const char* rounds = std::getenv("ASSAY_FUZZ_ROUNDS");
  return rounds == nullptr ? kRounds : std::atoi(rounds);
}

struct Kernel {
  std::string trace;
  tir::Function function;
  std::vector<NDArray> inputs, expected;
};

// Adds the kernel of a round to the batch, unless its intrinsic does not fit.
void AddKernel(int round, std::vector<Kernel>& batch) {
  const RandomCase random = MakeRandomCase(kSeed, round);
  Schedule s = random.NewSchedule();
  ASSERT_TRUE(s.Replay(random.steps).ok());
  Kernel kernel;
  kernel.trace = absl::StrCat("seed ", kSeed, " round ", round, "\n",
                              te::ToString(random.outputs), s.ToString());
  const auto loops =
      Lower(s, absl::StrCat("f", round), random.inputs, random.outputs);
  if (absl::StrContains(loops.status().message(), "does not fit")) return;
  ASSERT_TRUE(loops.ok()) << loops.status() << kernel.trace;
  const auto plain =
      Lower(Schedule(random.outputs), "f", random.inputs, random.outputs);
  ASSERT_TRUE(plain.ok()) << plain.status();
  auto expected = tir::Interpret(*plain, random.values);
  ASSERT_TRUE(expected.ok()) << expected.status();
  kernel.function = tir::LowerLoops(*loops);
  kernel.inputs = random.values;
  kernel.expected = *std::move(expected);
  batch.push_back(std::move(kernel));
}

void ExpectComputes(const std::string& image, const Kernel& kernel) {
  SCOPED_TRACE(kernel.trace);
  std::vector<NDArray> buffers = kernel.inputs;
  for (const NDArray& output : kernel.expected) {
    buffers.emplace_back(output.dtype(), output.shape());
  }
  codegen::RuntimeLog log;
  const auto returned =
      codegen::RunKernel(image, kernel.function.name, buffers, log);
  ASSERT_TRUE(returned.ok()) << returned.status();
  ASSERT_EQ(*returned, 0);
  EXPECT_EQ(log.allocations, log.frees);
  for (size_t i = 0; i < kernel.expected.size(); ++i) {
    const auto got = buffers[kernel.inputs.size() + i].data<float>();
    const auto expected = kernel.expected[i].data<float>();
    // Contraction to fused multiply-add may change the sign of a zero.
    for (size_t e = 0; e < expected.size(); ++e) {
      ASSERT_EQ(got[e], expected[e])
          << "element " << e << " of output " << i << " of\n"
          << tir::ToString(kernel.function);
    }
  }
}

TEST(CompiledSchedulesTest, MatchInterpreter) {
  const auto host = codegen::ResolveTarget("llvm -mcpu=native");
  ASSERT_TRUE(host.ok()) << host.status();
  for (int round = 0; round < NumRounds() && !HasFailure(); round += kBatch) {
    std::vector<Kernel> batch;
    for (int i = round; i < std::min(round + kBatch, NumRounds()); ++i) {
      AddKernel(i, batch);
      if (HasFailure()) return;
    }
    std::vector<tir::Function> functions;
    for (const Kernel& kernel : batch) functions.push_back(kernel.function);
    const auto module = codegen::Generate(functions, *host, {});
    ASSERT_TRUE(module.ok()) << module.status();
    for (const Kernel& kernel : batch) ExpectComputes(module->code, kernel);
  }
}

}  // namespace
}  // namespace assay::lower
