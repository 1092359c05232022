#include "compiler/driver/setup_kernels.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler/driver/compile.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/pass_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/executor/executor.h"

namespace assay::driver {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;

// Two convolutions that read the same weights, and one with other weights.
std::unique_ptr<Graph> Network() {
  graph::TestRandom random(3);
  auto model = std::make_unique<Graph>("net");
  Node* x = *model->AddInput("x", {DType::Float32(), {1, 64, 20, 20}});
  graph::Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  Node* shared = model->AddConstant(random.Tensor({64, 64, 3, 3}, 0.1f));
  Node* other = model->AddConstant(random.Tensor({64, 64, 3, 3}, 0.1f));
  for (Node* weights : {shared, other, shared}) {
    x = *model->AddNode(OpKind::kConv2d, attrs, {{x}, {weights}});
  }
  model->AddOutput("y", {x});
  return model;
}

runtime::Artifact Compiled(const Graph& model, SetupMode setup) {
  CompileOptions options;
  options.setup = setup;
  auto artifact = Compile(model, *ResolveTarget("llvm -mcpu=native"), options);
  CHECK(artifact.ok()) << artifact.status();
  return *std::move(artifact);
}

NDArray Answer(const runtime::Artifact& artifact, const NDArray& x) {
  const auto device = runtime::CpuDevice::Create(2).value();
  const auto executor =
      runtime::Executor::Create(artifact, device.get()).value();
  CHECK(executor->SetInput("x", x).ok());
  CHECK(executor->Run().ok());
  return executor->GetOutput("y")->Clone();
}

TEST(SetupKernelsTest, EncodesAtLoadWhatGrows) {
  graph::TensorType type = {DType::Float32(), {64, 64, 3, 3}};
  EXPECT_FALSE(IsEncodedAtLoad(type, SetupMode::kAuto));
  EXPECT_FALSE(IsEncodedAtLoad(type, SetupMode::kLoad));
  graph::FilterBlocks blocks;
  blocks.in = blocks.out = 16;
  type.encoding = blocks;
  EXPECT_FALSE(IsEncodedAtLoad(type, SetupMode::kAuto));
  EXPECT_TRUE(IsEncodedAtLoad(type, SetupMode::kLoad));
  type.encoding = graph::WinogradFilters{4, 16};
  EXPECT_TRUE(IsEncodedAtLoad(type, SetupMode::kAuto));
  EXPECT_FALSE(IsEncodedAtLoad(type, SetupMode::kCompile));
  type.shape = {16, 1, 3, 3};  // a few bytes
  EXPECT_FALSE(IsEncodedAtLoad(type, SetupMode::kAuto));
}

TEST(SetupKernelsTest, ResultsAreThoseOfConstantsThatTheCompilerEncodes) {
  const auto model = Network();
  const std::vector<NDArray> inputs = graph::RandomInputs(*model, 1);
  const auto expected = graph::Evaluate(*model, inputs);
  ASSERT_TRUE(expected.ok()) << expected.status();
  for (const SetupMode setup :
       {SetupMode::kAuto, SetupMode::kCompile, SetupMode::kLoad}) {
    const NDArray got = Answer(Compiled(*model, setup), inputs[0]);
    EXPECT_LT(graph::MaxError({got}, *expected), 1e-3)
        << static_cast<int>(setup);
  }
}

TEST(SetupKernelsTest, ArtifactHoldsPlainConstantsOnce) {
  const auto model = Network();
  const runtime::Artifact load = Compiled(*model, SetupMode::kLoad);
  const runtime::Artifact compile = Compiled(*model, SetupMode::kCompile);
  EXPECT_EQ(load.setup.size(), 2u);
  EXPECT_EQ(load.params.size(), 2u * 64 * 64 * 9 * 4);
  EXPECT_EQ(load.calls.size(), compile.calls.size());
  EXPECT_TRUE(compile.setup.empty());
  EXPECT_EQ(compile.setup_bytes, 0);
  EXPECT_EQ(compile.params.size(), static_cast<size_t>(load.setup_bytes));
  for (size_t i = 0; i < load.calls.size(); ++i) {
    EXPECT_EQ(load.calls[i].code_digest, compile.calls[i].code_digest) << i;
  }
}

}  // namespace
}  // namespace assay::driver
