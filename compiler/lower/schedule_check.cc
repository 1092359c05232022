#include "compiler/lower/schedule_check.h"

#include <utility>

#include "compiler/lower/lower.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/interpreter.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/printer.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::lower {

using schedule::Schedule;

std::vector<NDArray> MakeInputs(const TestProgram& program, uint64_t seed) {
  Rng rng(seed);
  std::vector<NDArray> arrays;
  for (const te::Tensor& input : program.inputs) {
    arrays.emplace_back(input.dtype(), input.shape());
    for (float& x : arrays.back().data<float>()) {
      x = static_cast<float>(rng.UniformInt(-4, 4));
    }
  }
  return arrays;
}

absl::StatusOr<tir::Function> LowerWith(const TestProgram& program,
                                        const std::string& steps) {
  Schedule s(program.outputs);
  const absl::Status status = s.Replay(*schedule::ParseSteps(steps));
  if (!status.ok()) return status;
  return Lower(s, "f", program.inputs, program.outputs);
}

std::string Lowered(const TestProgram& program, const std::string& steps) {
  const auto function = LowerWith(program, steps);
  if (!function.ok()) return std::string(function.status().message());
  return "\n" + tir::ToString(function->body);
}

std::vector<NDArray> RunFunction(const tir::Function& function,
                                 const std::vector<NDArray>& inputs) {
  tir::InterpretOptions options;
  options.seed = 7;
  auto results = tir::Interpret(function, inputs, options);
  EXPECT_TRUE(results.ok()) << results.status() << tir::ToString(function);
  return *std::move(results);
}

void ExpectSameResults(const TestProgram& program, const std::string& steps) {
  SCOPED_TRACE(steps);
  const std::vector<NDArray> inputs = MakeInputs(program);
  const auto plain = LowerWith(program, "");
  ASSERT_TRUE(plain.ok()) << plain.status();
  const std::vector<NDArray> expected = RunFunction(*plain, inputs);
  const auto function = LowerWith(program, steps);
  ASSERT_TRUE(function.ok()) << function.status();
  for (const tir::Function& f : {*function, tir::LowerLoops(*function)}) {
    const std::vector<NDArray> results = RunFunction(f, inputs);
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(BitwiseEqual(results[i], expected[i])) << tir::ToString(f);
    }
  }
  Schedule scheduled(program.outputs);
  ASSERT_TRUE(scheduled.Replay(*schedule::ParseSteps(steps)).ok());
  const std::string printed = scheduled.ToString();
  Schedule replayed(program.outputs);
  ASSERT_TRUE(replayed.Replay(*schedule::ParseSteps(printed)).ok());
  EXPECT_EQ(replayed.ToString(), printed);
  const auto again = LowerWith(program, printed);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(tir::ToString(*again), tir::ToString(*function));
}

}  // namespace assay::lower
