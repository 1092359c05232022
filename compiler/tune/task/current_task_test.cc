#include "compiler/tune/task/current_task.h"

#include <memory>
#include <vector>

#include "compiler/driver/compile.h"
#include "compiler/driver/compile_options.h"
#include "compiler/graph/testing/random_graph.h"
#include "compiler/tune/task/tasks.h"
#include "compiler/tune/task/template_digest.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::tune {
namespace {

using ::testing::StartsWith;

target::Target Avx512() {
  return *driver::ResolveTarget(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -num-cores=2");
}

std::vector<Task> TasksOf(const graph::Graph& model) {
  auto tasks = ExtractTasks(model, Avx512(), {}, LayoutChoices::kDefault);
  CHECK(tasks.ok()) << tasks.status();
  return *std::move(tasks);
}

// The text of a record is enough to find the task of another version.
TEST(CurrentTaskTest, KernelsOfWorkloadsAreThoseOfTasks) {
  int anchors = 0;
  for (const uint64_t seed : {1, 2, 3}) {
    for (const Task& task : TasksOf(*graph::RandomGraph(seed))) {
      const auto kernel = KernelOfWorkload(task.workload);
      ASSERT_TRUE(kernel.ok()) << kernel.status() << task.workload;
      const auto expected = CurrentTaskOf(*task.kernel, Avx512());
      ASSERT_TRUE(expected.ok()) << expected.status();
      const auto parsed = CurrentTaskOf(**kernel, Avx512());
      ASSERT_TRUE(parsed.ok()) << parsed.status();
      EXPECT_EQ(parsed->template_digest, expected->template_digest);
      EXPECT_EQ(parsed->default_point.implementation,
                expected->default_point.implementation);
      EXPECT_EQ(parsed->default_point.config, expected->default_point.config);
      EXPECT_EQ(expected->template_digest,
                *TemplateDigest(*task.kernel, Avx512()));
      EXPECT_EQ(expected->default_point.implementation.empty(),
                task.anchor.empty());
      anchors += task.anchor.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(anchors, 5);
  EXPECT_THAT(std::string(KernelOfWorkload("x").status().message()),
              StartsWith("`x`"));
}

// Compile() without a table and with the default points gives equal code.
TEST(CurrentTaskTest, TheDefaultPointIsThatOfTheCompiler) {
  const std::unique_ptr<graph::Graph> model = graph::RandomGraph(4);
  driver::CompileOptions options;
  for (const Task& task : TasksOf(*model)) {
    const auto current = CurrentTaskOf(*task.kernel, Avx512());
    ASSERT_TRUE(current.ok()) << current.status();
    if (!task.anchor.empty()) options.tuned[task.key] = current->default_point;
  }
  ASSERT_FALSE(options.tuned.empty());
  const auto usual = driver::Compile(*model, Avx512());
  const auto tuned = driver::Compile(*model, Avx512(), options);
  ASSERT_TRUE(usual.ok() && tuned.ok());
  EXPECT_EQ(usual->code, tuned->code);
}

}  // namespace
}  // namespace assay::tune
