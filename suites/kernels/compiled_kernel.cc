#include "suites/kernels/compiled_kernel.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/driver/compile.h"
#include "runtime/base/status_macros.h"
#include "runtime/devices/devices.h"
#include "suites/harness/onnx_model.h"

namespace assay::suites {
namespace {

bool OnlyMovesData(const runtime::KernelCall& call) {
  return call.kind == "layout_transform";
}

bool AnyAt(const runtime::Artifact& artifact,
           const std::vector<int32_t>& tensors, runtime::Location location) {
  return std::any_of(tensors.begin(), tensors.end(), [&](int32_t index) {
    return artifact.tensors[index].location == location;
  });
}

}  // namespace

absl::StatusOr<runtime::Artifact> CompileForThisMachine(
    const std::string& name, const std::string& model, int threads, bool exact,
    const std::string& dump_dir) {
  ASSAY_ASSIGN_OR_RETURN(const Model imported,
                         LoadOnnxBytes(name, model, /*dims=*/{}));
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget("llvm -mcpu=native"));
  driver::CompileOptions options;
  options.exact = exact;
  options.dump_dir = dump_dir;
  return driver::Compile(*imported.graph, target.WithCores(threads), options);
}

std::string PlainLayoutNote(const runtime::Artifact& artifact) {
  bool reads = false, writes = false;
  for (const runtime::KernelCall& call : artifact.calls) {
    if (OnlyMovesData(call)) continue;
    reads |= AnyAt(artifact, call.inputs, runtime::Location::kInput);
    writes |= AnyAt(artifact, call.outputs, runtime::Location::kOutput);
  }
  if (!reads && !writes) return "";
  return absl::StrCat("`kernel` ", reads ? "reads" : "",
                      reads && writes ? " and " : "", writes ? "writes" : "",
                      " the plain layout itself");
}

absl::StatusOr<std::unique_ptr<CompiledKernel>> CompiledKernel::Load(
    const runtime::Artifact& artifact, const runtime::NamedTensors& inputs,
    int threads) {
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Device> device,
                         runtime::CreateDevice(artifact.code_kind, threads));
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Executor> executor,
                         runtime::Executor::Create(artifact, device.get()));
  ASSAY_RETURN_IF_ERROR(executor->SetInputs(inputs));
  return std::unique_ptr<CompiledKernel>(
      new CompiledKernel(std::move(device), std::move(executor)));
}

absl::StatusOr<std::unique_ptr<CompiledKernel>>
CompiledKernel::LoadSharingMemory(const runtime::Artifact& artifact,
                                  const runtime::NamedTensors& inputs) const {
  ASSAY_ASSIGN_OR_RETURN(
      std::unique_ptr<runtime::Executor> executor,
      runtime::Executor::Create(artifact, device_.get(), executor_.get()));
  ASSAY_RETURN_IF_ERROR(executor->SetInputs(inputs));
  return std::unique_ptr<CompiledKernel>(
      new CompiledKernel(device_, std::move(executor)));
}

absl::StatusOr<NDArray> CompiledKernel::Output() {
  return executor_->GetOutput(executor_->outputs()[0].name);
}

absl::StatusOr<int64_t> CompiledKernel::RunKernelsTimed() {
  ASSAY_RETURN_IF_ERROR(executor_->RunTimed(&nanos_));
  int64_t total = 0;
  for (size_t i = 0; i < nanos_.size(); ++i) {
    if (!OnlyMovesData(executor_->calls()[i])) total += nanos_[i];
  }
  return total;
}

std::string CompiledKernel::Kinds() const {
  return absl::StrJoin(executor_->calls(), "; ",
                       [](std::string* out, const runtime::KernelCall& call) {
                         out->append(call.kind);
                       });
}

}  // namespace assay::suites
