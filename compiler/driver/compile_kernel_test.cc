#include "compiler/driver/compile_kernel.h"

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/executor/executor.h"

namespace assay::driver {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;
using ::testing::HasSubstr;
using ::testing::Not;

target::Target Avx2() {
  return *target::Target::Parse("llvm -mtriple=x86_64-linux-gnu -mcpu=haswell");
}

NDArray Random(const Shape& shape, const char* name) {
  NDArray array(DType::Float32(), shape);
  Rng(SeedFor(7, name)).FillUniform(array, -1, 1);
  return array;
}

std::unique_ptr<Graph> Conv3x3() {
  auto graph = std::make_unique<Graph>("conv");
  Node* x = *graph->AddInput("x", {DType::Float32(), {1, 16, 12, 12}});
  Node* w = graph->AddConstant(Random({16, 16, 3, 3}, "w"));
  graph::Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  graph->AddOutput("y",
                   {*graph->AddNode(OpKind::kConv2d, attrs, {{x}, {w}}, "c")});
  return graph;
}

// before, kernel and after together.
NDArray Answer(const CompiledOperator& op, const NDArray& x) {
  const auto operands = graph::EvaluateStored(*op.before, {x}).value();
  const auto device = runtime::CpuDevice::Create(1).value();
  const auto executor =
      runtime::Executor::Create(op.artifact, device.get()).value();
  CHECK_EQ(operands.size(), executor->inputs().size());
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string name = absl::StrCat("p", i);
    CHECK(executor->SetInput(name, operands[i]).ok()) << name;
  }
  CHECK(executor->Run().ok());
  return graph::EvaluateStored(*op.after, {*executor->GetOutput("out")})
      ->front();
}

TEST(CompileKernelTest, ComputesTheResultOfTheModel) {
  const auto model = Conv3x3();
  const NDArray x = Random({1, 16, 12, 12}, "x");
  const NDArray want = graph::Evaluate(*model, {x})->front();
  const target::Target native = *ResolveTarget("llvm -mcpu=native");
  for (const double max_error : {0.0, 1e-4}) {
    KernelCompileOptions options;
    options.max_error = max_error;
    const auto op = CompileKernel(*model, native, options);
    ASSERT_TRUE(op.ok()) << op.status();
    const NDArray got = Answer(*op, x);
    ASSERT_EQ(got.shape(), want.shape());
    for (int64_t i = 0; i < want.num_elements(); ++i) {
      ASSERT_NEAR(got.data<float>()[i], want.data<float>()[i], 1e-3)
          << op->instance << " at " << i;
    }
  }
}

TEST(CompileKernelTest, CompilesConvolutionInBlockedLayout) {
  const auto model = Conv3x3();
  KernelCompileOptions options;
  options.max_error = 0;
  const auto op = CompileKernel(*model, Avx2(), options);
  ASSERT_TRUE(op.ok()) << op.status();
  EXPECT_THAT(op->instance, HasSubstr("@filters(in=8,out=8)"));
  EXPECT_FALSE(op->artifact.code.empty());
  EXPECT_EQ(op->flops, 2 * 16 * 12 * 12 * 16 * 9);
  EXPECT_EQ(op->bytes, 4 * (2 * 16 * 12 * 12 + 16 * 16 * 9));
  ASSERT_FALSE(op->candidates.empty());
  EXPECT_EQ(op->implementation, op->candidates[0].name);
  EXPECT_EQ(op->config, op->candidates[0].config);
  EXPECT_THAT(op->schedule, HasSubstr("vectorize"));
}

TEST(CompileKernelTest, FollowsTheOptions) {
  const auto model = Conv3x3();
  KernelCompileOptions options;
  options.choose_layout = false;
  const auto plain = CompileKernel(*model, Avx2(), options);
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_THAT(plain->instance, HasSubstr("float32[1,16,12,12]"));
  options = {};
  options.implementation = "conv2d.magic";
  EXPECT_THAT(CompileKernel(*model, Avx2(), options).status().message(),
              HasSubstr("no implementation `conv2d.magic` applies"));
  options = {};
  options.config = "colour=3";
  EXPECT_THAT(CompileKernel(*model, Avx2(), options).status().message(),
              HasSubstr("colour"));
}

// The target has fixed caches and cores, so the choice is deterministic.
TEST(CompileKernelTest, ExactForbidsWinogradAndStrassen) {
  KernelCompileOptions exact;
  exact.max_error = 0;
  const auto conv = Conv3x3();
  const auto direct = CompileKernel(*conv, Avx2(), exact);
  ASSERT_TRUE(direct.ok()) << direct.status();
  EXPECT_THAT(direct->implementation, Not(HasSubstr("winograd")));
  EXPECT_EQ(direct->error_bound, 0);
  EXPECT_EQ(direct->artifact.metadata.count(runtime::kMetaAlgorithms), 0u);
  const auto winograd = CompileKernel(*conv, Avx2());
  ASSERT_TRUE(winograd.ok()) << winograd.status();
  EXPECT_EQ(winograd->error_bound, 1e-4);
  EXPECT_EQ(winograd->artifact.metadata.at(runtime::kMetaAlgorithms),
            "winograd F(4x4)");

  const auto product = graph::GraphFromText(
      "graph g(%x: float32[1024,1024], %y: float32[1024,1024]) -> (%1) {\n"
      "  %1: float32[1024,1024] = matmul(%x, %y)\n}");
  const target::Target one_core = Avx2().WithCores(1);
  const auto strassen = CompileKernel(*product, one_core);
  ASSERT_TRUE(strassen.ok()) << strassen.status();
  EXPECT_EQ(strassen->implementation, "matmul.strassen");
  EXPECT_EQ(strassen->artifact.metadata.at(runtime::kMetaAlgorithms),
            "strassen");
  EXPECT_EQ(CompileKernel(*product, one_core, exact)->implementation,
            "matmul.blocked");
  exact.implementation = "matmul.strassen";
  EXPECT_THAT(
      CompileKernel(*product, one_core, exact).status().message(),
      HasSubstr("no exact implementation `matmul.strassen` applies; there is "
                "`matmul.blocked`, `matmul.rows`"));
}

TEST(CompileKernelTest, ExactForbidsSplitNumbers) {
  const auto target = target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids -num-cores=1");
  ASSERT_TRUE(target.ok()) << target.status();
  KernelCompileOptions exact;
  exact.max_error = 0;
  const auto conv = Conv3x3();
  const auto product = graph::GraphFromText(
      "graph g(%x: float32[64,64], %y: float32[64,64]) -> (%1) {\n"
      "  %1: float32[64,64] = matmul(%x, %y)\n}");
  const std::pair<const Graph*, std::string> cases[] = {
      {conv.get(), "conv2d.bf16x3_nchwc"}, {product.get(), "matmul.bf16x3"}};
  for (const auto& [graph, implementation] : cases) {
    const auto split = CompileKernel(*graph, *target);
    ASSERT_TRUE(split.ok()) << split.status();
    EXPECT_EQ(split->implementation, implementation);
    EXPECT_EQ(split->error_bound, 1e-5);
    EXPECT_EQ(split->artifact.metadata.at(runtime::kMetaAlgorithms), "bf16x3");
    const auto whole = CompileKernel(*graph, *target, exact);
    ASSERT_TRUE(whole.ok()) << whole.status();
    EXPECT_THAT(whole->implementation, Not(HasSubstr("bf16x3")));
    EXPECT_EQ(whole->error_bound, 0);
    EXPECT_EQ(whole->artifact.metadata.count(runtime::kMetaAlgorithms), 0u);
  }
}

TEST(CompileKernelTest, RejectsImplementationIfThereIsNoChoice) {
  Graph graph("relu");
  Node* x = *graph.AddInput("x", {DType::Float32(), {4, 16}});
  graph.AddOutput("y", {*graph.AddNode(OpKind::kRelu, {}, {{x}}, "r")});
  const auto op = CompileKernel(graph, Avx2());
  ASSERT_TRUE(op.ok()) << op.status();
  EXPECT_EQ(op->implementation, "");
  EXPECT_TRUE(op->candidates.empty());
  KernelCompileOptions options;
  options.implementation = "relu.fast";
  EXPECT_THAT(CompileKernel(graph, Avx2(), options).status().message(),
              HasSubstr("neither implementations nor configurations"));
}

}  // namespace
}  // namespace assay::driver
