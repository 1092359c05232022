#include "suites/tune/search/kernel_program.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/driver/compile.h"
#include "compiler/graph/testing/random_graph.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/measure/in_process.h"
#include "suites/correctness/accuracy.h"

namespace assay::suites {
namespace {

target::Target Host() {
  return driver::ResolveTarget("llvm -mcpu=native")->WithCores(2);
}

std::vector<tune::Task> TasksOf(const graph::Graph& model) {
  auto tasks = tune::ExtractTasks(model, Host(), {}, tune::LayoutChoices::kAll);
  CHECK(tasks.ok()) << tasks.status();
  return *std::move(tasks);
}

// All kernels of a network compute what the interpreter computes, with each of
// their layouts, although only the weights are as in the network.
TEST(KernelProgramTest, ComputesWhatTheInterpreterComputes) {
  const std::unique_ptr<graph::Graph> model = graph::ResNet18(32, 8, 7);
  runtime::InProcessRunner runner;
  for (const tune::Task& task : TasksOf(*model)) {
    const auto program = MakeKernelProgram(task, 1 << 20, 2, 1);
    ASSERT_TRUE(program.ok()) << program.status();
    const auto artifact = driver::CompileKernelGraph(*program->graph, Host());
    ASSERT_TRUE(artifact.ok()) << artifact.status() << task.workload;
    EXPECT_EQ(artifact->calls.size(), static_cast<size_t>(program->calls));
    std::set<std::string> symbols;
    for (const auto& call : artifact->calls) symbols.insert(call.symbol);
    EXPECT_EQ(symbols.size(), 1u);
    EXPECT_TRUE(artifact->params.empty());
    auto session = runner.Load({&*artifact}, {2});
    ASSERT_TRUE(session.ok()) << session.status();
    ASSERT_TRUE((*session)->SetInputs(program->inputs).ok());
    const auto sample = runtime::RunOnce(**session);
    ASSERT_TRUE(sample.ok()) << sample.status();
    const Accuracy accuracy = CheckOutputs(sample->outputs, program->expected);
    EXPECT_TRUE(accuracy.correct) << task.workload;
  }
}

TEST(KernelProgramTest, WeightsThatTakeLongToReadAreCold) {
  const std::unique_ptr<graph::Graph> model = graph::ResNet18(128, 8, 7);
  const auto calls = [](const tune::Task& task, int64_t all) {
    const auto program = MakeKernelProgram(task, all, 1, 1);
    CHECK(program.ok()) << program.status();
    EXPECT_EQ(
        program->inputs.size(),
        task.kernel->inputs().size() +
            static_cast<size_t>(program->calls - 1) * task.constants.size());
    return program->calls;
  };
  int cold = 0, warm = 0;
  for (const tune::Task& task : TasksOf(*model)) {
    int64_t bytes = 0;
    for (const auto& constant : task.constants) {
      bytes += static_cast<int64_t>(constant.value.num_bytes());
    }
    if (bytes == 0) {
      EXPECT_EQ(calls(task, 1 << 20), 1);
    } else if (calls(task, 1) == 1) {
      // A network of this kernel alone finds its weights in the caches.
      ++cold;
      EXPECT_EQ(calls(task, 3 * bytes), 3);
      EXPECT_EQ(calls(task, 3 * bytes + 1), 4);
      // In a large network, there are just enough copies to be cold.
      const int most = calls(task, int64_t{1} << 40);
      EXPECT_LT((most - 1) * bytes, kColdBytes);
      EXPECT_TRUE(most == kMaxKernelCalls || most * bytes >= kColdBytes);
    } else {
      // The arithmetic takes longer.
      ++warm;
      EXPECT_EQ(calls(task, 1), calls(task, int64_t{1} << 40));
    }
  }
  EXPECT_GT(cold, 3);
  EXPECT_GT(warm, 1);
}

}  // namespace
}  // namespace assay::suites
