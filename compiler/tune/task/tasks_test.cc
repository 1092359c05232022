#include "compiler/tune/task/tasks.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/testing/random_graph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::tune {
namespace {

using ::testing::Contains;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

target::Target Avx512() {
  return *driver::ResolveTarget(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -num-cores=2");
}

std::vector<Task> Tasks(const graph::Graph& model, LayoutChoices layouts,
                        const driver::CompileOptions& options = {}) {
  auto tasks = ExtractTasks(model, Avx512(), options, layouts);
  CHECK(tasks.ok()) << tasks.status();
  return *std::move(tasks);
}

std::set<std::string> Keys(const std::vector<Task>& tasks) {
  std::set<std::string> keys;
  for (const Task& task : tasks) keys.insert(task.key);
  return keys;
}

TEST(TasksTest, EveryKernelOfTheModelHasATask) {
  const std::unique_ptr<graph::Graph> model = graph::ResNet18(64, 32, 7);
  const std::vector<Task> tasks = Tasks(*model, LayoutChoices::kDefault);
  EXPECT_EQ(Keys(tasks).size(), tasks.size());
  const auto artifact = driver::Compile(*model, Avx512());
  ASSERT_TRUE(artifact.ok()) << artifact.status();
  size_t calls = 0;
  int64_t flops = 0;
  for (const Task& task : tasks) {
    EXPECT_GT(task.calls, 0);
    EXPECT_THAT(task.nodes, Not(IsEmpty())) << task.workload;
    calls += static_cast<size_t>(task.calls);
    flops += task.calls * task.flops;
  }
  EXPECT_EQ(calls, artifact->calls.size());
  EXPECT_LT(tasks.size(), calls);  // layers repeat
  int64_t artifact_flops = 0;
  for (const auto& call : artifact->calls) artifact_flops += call.flops;
  EXPECT_EQ(flops, artifact_flops);
}

TEST(TasksTest, WeightsAreConstantOperands) {
  const std::unique_ptr<graph::Graph> model = graph::ResNet18(32, 8, 7);
  for (const Task& task : Tasks(*model, LayoutChoices::kDefault)) {
    if (!absl::StrContains(task.anchor, "conv2d(")) continue;
    // Filters and biases.
    ASSERT_EQ(task.constants.size(), 2u) << task.workload;
    for (const ConstantOperand& constant : task.constants) {
      const graph::Node& input =
          *task.kernel->inputs()[static_cast<size_t>(constant.operand)];
      EXPECT_EQ(input.name(), absl::StrCat("p", constant.operand));
      EXPECT_EQ(input.type().shape, constant.value.shape());
    }
  }
}

TEST(TasksTest, OtherLayoutsAreTasksToo) {
  const std::unique_ptr<graph::Graph> model = graph::ResNet18(64, 32, 7);
  const std::vector<Task> usual = Tasks(*model, LayoutChoices::kDefault);
  const std::vector<Task> all = Tasks(*model, LayoutChoices::kAll);
  ASSERT_GT(all.size(), usual.size());
  std::set<std::string> tiles, blocks;
  bool with_both = false;  // a tile with blocks that are not the preferred ones
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].calls > 0, i < usual.size());
    if (i < usual.size()) EXPECT_EQ(all[i].key, usual[i].key);
    if (!absl::StrContains(all[i].anchor, "conv2d(")) continue;
    for (const char* tile : {"winograd(m=2", "winograd(m=4", "winograd(m=6"}) {
      if (absl::StrContains(all[i].anchor, tile)) tiles.insert(tile);
    }
    with_both |= absl::StrContains(all[i].anchor, "@winograd(m=2") &&
                 absl::StrContains(all[i].anchor, "@blocks(8) {");
    for (const char* block : {"@blocks(8)", "@blocks(16)", "@blocks(32)"}) {
      if (absl::StrContains(all[i].anchor, block)) blocks.insert(block);
    }
  }
  EXPECT_EQ(tiles, (std::set<std::string>{"winograd(m=2", "winograd(m=4"}));
  EXPECT_TRUE(with_both);
  EXPECT_THAT(blocks, Contains("@blocks(8)"));
  EXPECT_THAT(blocks, Contains("@blocks(16)"));

  driver::CompileOptions exact;
  exact.max_error = 0;
  for (const Task& task : Tasks(*model, LayoutChoices::kAll, exact)) {
    EXPECT_THAT(task.anchor, Not(HasSubstr("winograd")));
  }
}

// Returns the encodings in the text of an operator.
std::string EncodingsOf(absl::string_view anchor) {
  std::string encodings;
  for (const absl::string_view part : absl::StrSplit(anchor, '@')) {
    if (part.data() == anchor.data()) continue;  // before the first one
    absl::StrAppend(&encodings, "@", part.substr(0, part.find(')')), ")");
  }
  return encodings;
}

// A convolution has the same epilogues in all encodings.
TEST(TasksTest, EpiloguesDoNotDependOnTheEncoding) {
  const std::unique_ptr<graph::Graph> model = graph::ResNet18(64, 32, 7);
  // Numbers of tasks by encodings.
  std::map<std::string, int> alone, fused;
  for (const Task& task : Tasks(*model, LayoutChoices::kAll)) {
    if (!absl::StrContains(task.anchor, "conv2d(")) continue;
    auto& counts = absl::StrContains(task.workload, "relu(") ? fused : alone;
    ++counts[EncodingsOf(task.anchor)];
  }
  EXPECT_GE(fused.size(), 3u);
  for (const auto& [encodings, count] : alone) {
    EXPECT_LE(count, fused[encodings]) << encodings;
  }
}

// Models share tasks.
TEST(TasksTest, EqualLayersOfOtherNetworksAreTheSameTask) {
  const std::set<std::string> first =
      Keys(Tasks(*graph::ResNet18(64, 32, 7), LayoutChoices::kDefault));
  const std::set<std::string> second =
      Keys(Tasks(*graph::ResNet18(64, 32, 8), LayoutChoices::kDefault));
  EXPECT_EQ(first, second);  // other weights
}

}  // namespace
}  // namespace assay::tune
