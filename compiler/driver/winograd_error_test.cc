// The error of Winograd convolution in float32 on the layers of ResNet-18, as
// compiled, against the definition summed in double.
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "compiler/codegen/llvm/host_target.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/pass_testing.h"
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

struct Layer {
  int64_t channels, size;
};

// A 3x3 convolution of a plain image; in blocks of 8 channels and with
// Winograd's algorithm where `m` is not 0.
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
  attrs.in_block = attrs.out_block = 8;
  attrs.winograd = m;
  x = add(OpKind::kLayoutTransform, graph::LayoutTransformAttrs{0, 8}, {x});
  w = add(OpKind::kWinogradWeights, graph::WinogradWeightsAttrs{m, 16}, {w});
  const graph::Value y = add(OpKind::kConv2d, attrs, {x, w});
  graph->AddOutput("y", add(OpKind::kLayoutTransform,
                            graph::LayoutTransformAttrs{8, 0}, {y}));
  return graph;
}

NDArray RunCompiled(const Graph& graph, const NDArray& x) {
  const auto target = codegen::HostTarget();
  CHECK(target.ok()) << target.status();
  const auto artifact = Compile(graph, *target);
  CHECK(artifact.ok()) << artifact.status();
  const auto device = runtime::CpuDevice::Create(2);
  CHECK(device.ok()) << device.status();
  const auto executor = runtime::Executor::Create(*artifact, device->get());
  CHECK(executor.ok()) << executor.status();
  CHECK((*executor)->SetInput("x", x).ok());
  CHECK((*executor)->Run().ok());
  return (*executor)->GetOutput("y").value();
}

TEST(WinogradErrorTest, StaysWithinTheBoundsThatAreStated) {
  const std::pair<int64_t, double> bounds[] = {{2, 1e-5}, {4, 1e-4}, {6, 1e-3}};
  for (const Layer& layer : {Layer{64, 56}, {128, 28}, {256, 14}, {512, 7}}) {
    Rng rng(layer.channels);
    // As after a ReLU, which is the harder case: nothing cancels but by the
    // algorithm itself.
    NDArray x(DType::Float32(), {1, layer.channels, layer.size, layer.size});
    rng.FillUniform(x, 0, 1);
    NDArray weights(DType::Float32(), {layer.channels, layer.channels, 3, 3});
    rng.FillNormal(weights, 0, 0.05f);
    const auto expected = graph::Evaluate(*Convolution(layer, weights, 0), {x});
    ASSERT_TRUE(expected.ok()) << expected.status();
    for (const auto& [m, bound] : bounds) {
      const NDArray y = RunCompiled(*Convolution(layer, weights, m), x);
      const double error = graph::MaxError({y}, *expected);
      std::cout << "F(" << m << "x" << m << ",3x3), " << layer.channels
                << " channels of " << layer.size << "x" << layer.size << ": "
                << error << " of the largest output, bound " << bound << "\n";
      EXPECT_LT(error, bound);
    }
  }
}

}  // namespace
}  // namespace assay::driver
