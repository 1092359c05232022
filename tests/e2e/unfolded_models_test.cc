// Checks every model of the suites without constant folding.
//
// Constants are folded by the reference interpreter, which is also the oracle
// that artifacts are compared with. If an operator on constants is wrong in the
// interpreter, the same error is in the artifact and in the oracle, and the
// comparison passes. Here nothing is folded: the passes are those that a model
// needs to be compiled, except fold_constants, and operators on constants
// become kernels as well.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/pipeline/pipeline.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/executor/executor.h"
#include "runtime/executor/seeded_inputs.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/comparators.h"
#include "suites/correctness/model.h"
#include "suites/correctness/oracle.h"
#include "suites/correctness/rounding_sensitivity.h"
#include "suites/models/catalog.h"

namespace assay::suites {
namespace {

using graph::Graph;

// The required passes without fold_constants.
driver::CompileOptions Unfolded() {
  driver::CompileOptions options;
  for (const graph::PipelineStep& step : graph::Pipeline()) {
    if (step.level > 0 || step.pass == "fold_constants") continue;
    absl::StrAppend(&options.passes.passes, step.pass, ",");
  }
  return options;
}

runtime::Artifact Compile(const Graph& graph,
                          const driver::CompileOptions& options) {
  const auto target = driver::ResolveTarget("llvm -mcpu=native");
  CHECK(target.ok()) << target.status();
  auto artifact = driver::Compile(graph, *target, options);
  CHECK(artifact.ok()) << artifact.status();
  return *std::move(artifact);
}

runtime::NamedTensors RunArtifact(const runtime::Artifact& artifact,
                                  const runtime::NamedTensors& inputs) {
  const auto device = runtime::CpuDevice::Create(2);
  CHECK(device.ok()) << device.status();
  const auto executor = runtime::Executor::Create(artifact, device->get());
  CHECK(executor.ok()) << executor.status();
  for (const runtime::NamedTensor& input : inputs) {
    CHECK((*executor)->SetInput(input.name, input.value).ok()) << input.name;
  }
  CHECK((*executor)->Run().ok());
  runtime::NamedTensors outputs;
  for (const auto& output : (*executor)->outputs()) {
    outputs.push_back(
        {output.name, (*executor)->GetOutput(output.name).value()});
  }
  return outputs;
}

runtime::NamedTensors Interpret(const Graph& graph,
                                const runtime::NamedTensors& inputs) {
  std::vector<NDArray> values;
  for (const runtime::NamedTensor& input : inputs) {
    values.push_back(input.value);
  }
  auto results = graph::Evaluate(graph, values);
  CHECK(results.ok()) << results.status();
  runtime::NamedTensors outputs;
  for (size_t i = 0; i < results->size(); ++i) {
    outputs.push_back({graph.outputs()[i].name, (*results)[i]});
  }
  return outputs;
}

// A network of the catalog with few channels and, if possible, a small image.
onnx::ModelProto SmallModel(const std::string& name) {
  CatalogOptions small;
  small.size = 64;
  small.multiplier = 0.125;
  auto model = BuildFromCatalog(name, small);
  if (model.ok()) return *std::move(model);
  small.size = 0;  // detectors have one image size
  model = BuildFromCatalog(name, small);
  if (model.ok()) return *std::move(model);
  model = BuildFromCatalog(name, {});  // single operators have one size
  CHECK(model.ok()) << model.status();
  return *std::move(model);
}

std::unique_ptr<Graph> Import(const std::string& name) {
  auto graph = frontend::ImportOnnxModel(SmallModel(name));
  CHECK(graph.ok()) << graph.status();
  return *std::move(graph);
}

// Imported and compiled while every result of the interpreter is wrong, the
// artifact computes what the correct interpreter does: no part of it comes from
// the interpreter.
TEST(UnfoldedModelsTest, ModelsAreRightWithoutTheInterpreter) {
  for (const std::string& name : CatalogNames()) {
    SCOPED_TRACE(name);
    Model model;
    model.graph = Import(name);
    const Graph& graph = *model.graph;
    runtime::Artifact artifact;
    {
      const graph::ScopedFault fault;
      EXPECT_EQ(graph::ToString(*Import(name)), graph::ToString(graph));
      artifact = Compile(graph, Unfolded());
    }
    const runtime::NamedTensors inputs = runtime::SeededInputs(artifact, 1);
    InterpreterOracle oracle(/*folder=*/"", /*version=*/"");
    RoundingSensitivity sensitivity(graph, [&](uint64_t seed) {
      return oracle.Outputs(model, inputs, seed);
    });
    // Only detectors make decisions that rounding can change. All other models
    // have to be right within the usual bounds.
    const bool decides =
        absl::c_any_of(sensitivity.row_axes(),
                       [](const auto& axis) { return axis.has_value(); });
    const auto accuracy =
        AcceptOutputs({RunArtifact(artifact, inputs), Interpret(graph, inputs),
                       /*rule=*/{}, decides ? &sensitivity : nullptr});
    ASSERT_TRUE(accuracy.ok()) << accuracy.status();
    EXPECT_TRUE(accuracy->correct) << accuracy->problem;
  }
}

// An operator on constants that the interpreter computes wrongly.
TEST(UnfoldedModelsTest, FindsFaultOfTheInterpreterThatFoldingHides) {
  const auto graph = graph::GraphFromText(R"(
      graph g(%x: float32[1,4]) -> (y=%4) {
        %1: float32[4] = constant {value=[1,2,3,4]}
        %2: float32[4] = exp(%1)
        %3: float32[1,4] = multiply(%x, %2)
        %4: float32[1,4] = relu(%3)
      })");
  const graph::ScopedFault fault(graph::OpKind::kExp);
  const runtime::Artifact folded = Compile(*graph, {});
  runtime::NamedTensors inputs = runtime::SeededInputs(folded, 1);
  for (float& value : inputs[0].value.data<float>()) value = std::abs(value);
  const runtime::NamedTensors expected = Interpret(*graph, inputs);
  EXPECT_TRUE(CheckOutputs(RunArtifact(folded, inputs), expected).correct);
  const runtime::Artifact unfolded = Compile(*graph, Unfolded());
  EXPECT_FALSE(CheckOutputs(RunArtifact(unfolded, inputs), expected).correct);
}

}  // namespace
}  // namespace assay::suites
