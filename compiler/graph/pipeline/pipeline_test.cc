#include "compiler/graph/pipeline/pipeline.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/fixed_encodings.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::graph {
namespace {

// The largest divisor of `n` up to `most`, as a target with vectors of `most`
// elements would choose it.
int64_t Divisor(int64_t n, int64_t most) {
  while (n % most != 0) --most;
  return most;
}

PipelineOptions Blocked(int64_t vector) {
  PipelineOptions options;
  options.costs = std::make_shared<FixedEncodings>(
      [=](OpKind kind, const Attrs& attrs,
          absl::Span<const TensorType> operands)
          -> std::optional<EncodingChoice> {
        const Shape& weights = operands[1].shape;
        if (kind == OpKind::kConv2d) {
          const int64_t groups = std::get<Conv2dAttrs>(attrs).groups;
          return InBlocks(Divisor(weights[1], vector),
                          Divisor(weights[0] / groups, vector));
        }
        if (kind != OpKind::kConv2dTranspose) return std::nullopt;
        const int64_t groups = std::get<Conv2dTransposeAttrs>(attrs).groups;
        EncodingChoice choice = InBlocks(Divisor(weights[0] / groups, vector),
                                         Divisor(weights[1], vector));
        std::get<FilterBlocks>(choice.operands[1]).transposed_groups = groups;
        return choice;
      });
  return options;
}

// The number of kernels per body name.
std::map<std::string, int> Kernels(const Graph& graph) {
  std::map<std::string, int> kernels;
  for (const Node* node : graph.Nodes()) {
    if (node->kind() == OpKind::kKernel) {
      ++kernels[node->attrs_as<KernelAttrs>().body->name()];
    } else {
      EXPECT_TRUE(node->kind() == OpKind::kInput ||
                  node->kind() == OpKind::kConstant)
          << node->Label();
    }
  }
  return kernels;
}

PassList AllPasses(const PipelineOptions& options) {
  std::vector<std::string> names;
  for (const PipelineStep& step : Pipeline()) names.emplace_back(step.pass);
  auto passes = MakePasses(names, options);
  CHECK(passes.ok()) << passes.status();
  return *std::move(passes);
}

absl::Status RunPipeline(const PipelineOptions& options, Graph& graph) {
  PassRunOptions run;
  run.verify_changed = true;
  return RunPasses(AllPasses(options), graph, run);
}

TEST(PipelineTest, ResNet18HasOneKernelPerConvolution) {
  const auto graph = ResNet18(32, 8, 7);
  const auto original = graph->Clone();
  const absl::Status status = RunPipeline(Blocked(8), *graph);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(Kernels(*graph),
            (std::map<std::string, int>{
                {"encode", 1},                     // in blocks of 3 channels
                {"fused_conv2d_add_relu", 9},      // first of each block
                {"fused_conv2d_add", 3},           // block ends whose
                {"fused_conv2d_add_add_relu", 8},  // shortcut comes last
                {"max_pool2d", 1},
                {"global_avg_pool2d", 1},
                {"reshape", 1},
                {"fused_dense_add", 1}}));
  const auto inputs = RandomInputs(*graph, 1);
  EXPECT_LT(MaxError(*Evaluate(*graph, inputs), *Evaluate(*original, inputs)),
            1e-4);
}

TEST(PipelineTest, DisabledFusionKeepsOperatorsApart) {
  const auto graph = ResNet18(32, 8, 7);
  PipelineOptions options;
  options.fusion.enabled = false;
  const absl::Status status = RunPipeline(options, *graph);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(Kernels(*graph),
            (std::map<std::string, int>{{"conv2d", 20},
                                        {"add", 29},
                                        {"relu", 17},
                                        {"max_pool2d", 1},
                                        {"global_avg_pool2d", 1},
                                        {"reshape", 1},
                                        {"dense", 1}}));
}

TEST(PipelineTest, PreservesResultsOfRandomGraphs) {
  for (int64_t vector : {0, 4}) {
    for (bool fusion : {false, true}) {
      PipelineOptions options =
          vector > 0 ? Blocked(vector) : PipelineOptions();
      options.fusion.enabled = fusion;
      EXPECT_EQ(CheckOnRandomGraphs([&] { return AllPasses(options); }, 40),
                "");
    }
  }
}

TEST(PipelineTest, SecondRunChangesNothing) {
  for (int seed = 1; seed <= 20; ++seed) {
    const auto graph = RandomGraph(seed);
    ASSERT_TRUE(RunPipeline(Blocked(4), *graph).ok()) << seed;
    bool changed = false;
    PassRunOptions run;
    run.verify_changed = true;
    run.after_pass = [&](const PassEvent& event) {
      changed = changed || event.changed;
      return absl::OkStatus();
    };
    ASSERT_TRUE(RunPasses(AllPasses(Blocked(4)), *graph, run).ok());
    EXPECT_FALSE(changed) << seed;
  }
}

}  // namespace
}  // namespace assay::graph
