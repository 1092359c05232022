// Checks the error bounds of implementations that are not exact
// (ops/implementation.h): compiled float32 kernels of Winograd's convolution,
// on the layers of ResNet-18, of Strassen's matrix product, and of convolutions
// and products of split numbers are compared with the definition, summed in
// double.
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/target/testing/without_matrix_unit.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/executor/executor.h"

namespace assay::driver {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;

struct Layer {
  int64_t channels, size;
};

// A 3x3 convolution of a plain image; if `m` is not 0, in blocks of 8 channels
// with Winograd's algorithm.
std::unique_ptr<Graph> Convolution(const Layer& layer, const NDArray& weights,
                                   int64_t m) {
  auto graph = std::make_unique<Graph>("layer");
  const auto add = [&](OpKind kind, graph::Attrs attrs,
                       std::vector<graph::Value> operands) {
    const auto node = graph->AddNode(kind, std::move(attrs), operands);
    CHECK(node.ok()) << node.status();
    return graph::Value{*node};
  };
  const auto input = graph->AddInput(
      "x", {DType::Float32(), {1, layer.channels, layer.size, layer.size}});
  CHECK(input.ok()) << input.status();
  graph::Value x = {*input}, w = {graph->AddConstant(weights)};
  graph::Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  if (m == 0) {
    graph->AddOutput("y", add(OpKind::kConv2d, attrs, {x, w}));
    return graph;
  }
  const auto encode = [&](graph::Value value, const graph::Encoding& encoding) {
    const graph::Value encoded =
        add(OpKind::kEncode, graph::NoAttrs(), {value});
    CHECK(graph->SetEncoding(encoded.node, encoding).ok());
    return encoded;
  };
  x = encode(x, graph::ChannelBlocks{8});
  CHECK(graph->SetEncoding(w.node, graph::WinogradFilters{m, 16}).ok());
  const graph::Value y = add(OpKind::kConv2d, attrs, {x, w});
  CHECK(graph->SetEncoding(y.node, graph::ChannelBlocks{8}).ok());
  graph->AddOutput("y", encode(y, graph::Plain()));
  return graph;
}

target::Target Host() {
  const auto target = ResolveTarget("llvm -mcpu=native");
  CHECK(target.ok()) << target.status();
  return *target;
}

// Returns the result. `algorithms` must be those of the kernels that are not
// exact (runtime::kMetaAlgorithms).
NDArray RunCompiled(const Graph& graph, const NDArray& x,
                    const target::Target& target, const std::string& algorithms,
                    double max_error = 1) {
  CompileOptions options;
  options.max_error = max_error;
  const auto artifact = Compile(graph, target, options);
  CHECK(artifact.ok()) << artifact.status();
  EXPECT_EQ(AlgorithmOf(*artifact), algorithms);
  const auto device = runtime::CpuDevice::Create(2);
  CHECK(device.ok()) << device.status();
  const auto executor = runtime::Executor::Create(*artifact, device->get());
  CHECK(executor.ok()) << executor.status();
  CHECK((*executor)->SetInput("x", x).ok());
  CHECK((*executor)->Run().ok());
  return (*executor)->GetOutput((*executor)->outputs()[0].name).value();
}

// Returns the error bound of the named implementation for the only operator of
// kind `kind` in `graph`.
double ErrorBound(const Graph& graph, OpKind kind, const std::string& name) {
  double bound = -1;
  for (const Node* node : graph.Nodes()) {
    if (node->kind() != kind) continue;
    for (const ops::Implementation& row : ops::Implementations(kind)) {
      if (row.name == name) bound = row.ErrorBound(ops::InstanceOf(*node));
    }
  }
  CHECK_GE(bound, 0) << name;
  return bound;
}

TEST(InexactErrorTest, WinogradConvolutionKeepsItsBound) {
  const std::pair<int64_t, double> bounds[] = {{2, 1e-5}, {4, 1e-4}, {6, 1e-3}};
  for (const Layer& layer : {Layer{64, 56}, {128, 28}, {256, 14}, {512, 7}}) {
    Rng rng(layer.channels);
    // Non-negative data, as after a ReLU, are the harder case: only the
    // algorithm itself causes cancellation.
    NDArray x(DType::Float32(), {1, layer.channels, layer.size, layer.size});
    rng.FillUniform(x, 0, 1);
    NDArray weights(DType::Float32(), {layer.channels, layer.channels, 3, 3});
    rng.FillNormal(weights, 0, 0.05f);
    const auto expected = graph::Evaluate(*Convolution(layer, weights, 0), {x});
    ASSERT_TRUE(expected.ok()) << expected.status();
    for (const auto& [m, bound] : bounds) {
      const std::unique_ptr<Graph> graph = Convolution(layer, weights, m);
      EXPECT_EQ(ErrorBound(*graph, OpKind::kConv2d, "conv2d.winograd_nchwc"),
                bound);
      const NDArray y = RunCompiled(
          *graph, x, Host(), absl::StrCat("winograd F(", m, "x", m, ")"));
      const double error = graph::MaxError({y}, *expected);
      std::cout << "F(" << m << "x" << m << ",3x3), " << layer.channels
                << " channels of " << layer.size << "x" << layer.size << ": "
                << error << " of the largest output, bound " << bound << "\n";
      EXPECT_LT(error, bound);
    }
  }
}

// The product of an `n` x `n` matrix and its transpose. (A constant operand
// would be packed at compile time.)
std::unique_ptr<Graph> Product(int64_t n) {
  const std::string type = absl::StrCat("float32[", n, ",", n, "]");
  return graph::GraphFromText(absl::StrCat(
      "graph g(%x: ", type, ") -> (%2) {\n  %1: ", type,
      " = transpose(%x) {perm=[1,0]}\n  %2: ", type, " = matmul(%x, %1)\n}"));
}

TEST(InexactErrorTest, StrassenProductKeepsItsBound) {
  constexpr int64_t kSize = 768;
  Rng rng(kSize);
  NDArray x(DType::Float32(), {kSize, kSize});
  rng.FillUniform(x, -1, 1);
  const std::unique_ptr<Graph> product = Product(kSize);
  const auto expected = graph::Evaluate(*product, {x});
  ASSERT_TRUE(expected.ok()) << expected.status();
  const target::Target target = target::WithoutMatrixUnit(Host());
  const NDArray y = RunCompiled(*product, x, target, "strassen");
  const NDArray exact = RunCompiled(*product, x, target, "", /*max_error=*/0);
  const double error = graph::MaxError({y}, *expected);
  std::cout << "Strassen, " << kSize << " x " << kSize << ": " << error
            << " of the largest output, bound 1e-5; exact "
            << graph::MaxError({exact}, *expected) << "\n";
  EXPECT_EQ(ErrorBound(*product, OpKind::kMatmul, "matmul.strassen"), 1e-5);
  EXPECT_LT(error, 1e-5);
  // Strassen's algorithm was used: it rounds differently.
  EXPECT_GT(graph::MaxError({y}, {exact}), 0);
}

TEST(InexactErrorTest, SplitConvolutionKeepsItsBound) {
  const target::Target host = Host();
  if (!host.HasFeature("amx-bf16")) {
    GTEST_SKIP() << "this processor has no matrix unit";
  }
  for (const Layer& layer : {Layer{64, 56}, {128, 28}, {256, 14}, {512, 7}}) {
    Rng rng(layer.channels);
    NDArray x(DType::Float32(), {1, layer.channels, layer.size, layer.size});
    rng.FillUniform(x, 0, 1);
    NDArray weights(DType::Float32(), {layer.channels, layer.channels, 3, 3});
    rng.FillNormal(weights, 0, 0.05f);
    const std::unique_ptr<Graph> graph = Convolution(layer, weights, 0);
    const auto expected = graph::Evaluate(*graph, {x});
    ASSERT_TRUE(expected.ok()) << expected.status();
    const NDArray y = RunCompiled(*graph, x, host, "bf16x3");
    const double error = graph::MaxError({y}, *expected);
    std::cout << "split, " << layer.channels << " channels of " << layer.size
              << "x" << layer.size << ": " << error
              << " of the largest output, bound 1e-5\n";
    EXPECT_EQ(ErrorBound(*graph, OpKind::kConv2d, "conv2d.bf16x3_nchwc"), 1e-5);
    EXPECT_LT(error, 1e-5);
  }
}

// One product of two inputs and one with a constant, which is split when the
// program is compiled.
TEST(InexactErrorTest, SplitProductsKeepTheirBound) {
  const target::Target host = Host();
  if (!host.HasFeature("amx-bf16")) {
    GTEST_SKIP() << "this processor has no matrix unit";
  }
  constexpr int64_t kSize = 768;
  Rng rng(kSize);
  NDArray x(DType::Float32(), {kSize, kSize});
  NDArray weights(DType::Float32(), {kSize, kSize});
  rng.FillUniform(x, -1, 1);
  rng.FillUniform(weights, -1, 1);
  Graph packed("packed");
  const auto input = packed.AddInput("x", {DType::Float32(), {kSize, kSize}});
  ASSERT_TRUE(input.ok()) << input.status();
  const auto dense = packed.AddNode(OpKind::kDense, graph::NoAttrs(),
                                    {{*input}, {packed.AddConstant(weights)}});
  ASSERT_TRUE(dense.ok()) << dense.status();
  packed.AddOutput("y", {*dense});
  const std::unique_ptr<Graph> product = Product(kSize);
  for (const Graph* graph : std::vector<const Graph*>{product.get(), &packed}) {
    const auto expected = graph::Evaluate(*graph, {x});
    ASSERT_TRUE(expected.ok()) << expected.status();
    const NDArray y = RunCompiled(*graph, x, host, "bf16x3");
    const double error = graph::MaxError({y}, *expected);
    std::cout << "split, " << graph->name() << ": " << error
              << " of the largest output, bound 1e-5\n";
    EXPECT_LT(error, 1e-5);
  }
  EXPECT_EQ(ErrorBound(*product, OpKind::kMatmul, "matmul.bf16x3"), 1e-5);
}

}  // namespace
}  // namespace assay::driver
