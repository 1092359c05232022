#include "tests/operators/run_graph.h"

#include <utility>

#include "compiler/driver/compile.h"
#include "runtime/base/status_macros.h"
#include "runtime/devices/devices.h"
#include "runtime/executor/executor.h"

namespace assay {

absl::StatusOr<std::vector<NDArray>> RunCompiled(
    const graph::Graph& graph, absl::Span<const NDArray> inputs, bool fusion) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget("llvm -mcpu=native"));
  driver::CompileOptions options;
  options.fusion = fusion;
  ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact artifact,
                         driver::Compile(graph, target, options));
  ASSAY_ASSIGN_OR_RETURN(
      auto device, runtime::CreateDevice(artifact.code_kind, /*threads=*/2));
  ASSAY_ASSIGN_OR_RETURN(auto executor,
                         runtime::Executor::Create(artifact, device.get()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(
        executor->SetInput(graph.inputs()[i]->name(), inputs[i]));
  }
  ASSAY_RETURN_IF_ERROR(executor->Run());
  std::vector<NDArray> outputs;
  for (const runtime::TensorInfo& output : executor->outputs()) {
    ASSAY_ASSIGN_OR_RETURN(NDArray value, executor->GetOutput(output.name));
    outputs.push_back(std::move(value));
  }
  return outputs;
}

}  // namespace assay
