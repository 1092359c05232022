#include "suites/kernels/compiled_kernel.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/in_process.h"
#include "runtime/measure/loop_session.h"
#include "suites/correctness/onnx_model.h"

namespace assay::suites {
namespace {

bool OnlyMovesData(const runtime::KernelCall& call) {
  return call.kind == "encode";
}

bool AnyAt(const runtime::Artifact& artifact,
           const std::vector<int32_t>& tensors, runtime::Location location) {
  return std::any_of(tensors.begin(), tensors.end(), [&](int32_t index) {
    return artifact.tensors[index].location == location;
  });
}

// See WithoutConversions().
class KernelSession : public runtime::LoopSession {
 public:
  KernelSession(runtime::Session& session, const runtime::Artifact& artifact)
      : session_(session) {
    for (const runtime::KernelCall& call : artifact.calls) {
      counts_.push_back(!OnlyMovesData(call));
    }
  }

  int threads() const override { return session_.threads(); }

 private:
  absl::StatusOr<int64_t> TimeRuns(int program, int64_t number,
                                   bool /*poison_outputs*/) override {
    int64_t total = 0;
    for (int64_t run = 0; run < number; ++run) {
      ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> nanos,
                             runtime::TimeCalls(session_, program));
      for (size_t i = 0; i < nanos.size(); ++i) {
        if (counts_[i]) total += nanos[i];
      }
    }
    return total;
  }

  absl::StatusOr<runtime::NamedTensors> Outputs(int program) override {
    ASSAY_ASSIGN_OR_RETURN(runtime::Sample sample,
                           runtime::RunOnce(session_, program));
    return std::move(sample.outputs);
  }

  runtime::Session& session_;
  std::vector<bool> counts_;  // by kernel call
};

}  // namespace

absl::StatusOr<CompiledPrograms> CompileForThisMachine(
    const std::string& name, const std::string& model, int threads,
    double max_error, const std::string& dump_dir) {
  ASSAY_ASSIGN_OR_RETURN(const Model imported,
                         LoadOnnxBytes(name, model, /*dims=*/{}));
  ASSAY_ASSIGN_OR_RETURN(const target::Target native,
                         driver::ResolveTarget("llvm -mcpu=native"));
  const target::Target target = native.WithCores(threads);
  driver::CompileOptions options;
  options.max_error = max_error;
  options.dump_dir = dump_dir;
  CompiledPrograms programs;
  ASSAY_ASSIGN_OR_RETURN(programs.ours,
                         driver::Compile(*imported.graph, target, options));
  if (AlgorithmOf(programs.ours).empty()) return programs;
  options.max_error = 0;
  if (!dump_dir.empty()) options.dump_dir += ".exact";
  ASSAY_ASSIGN_OR_RETURN(programs.exact,
                         driver::Compile(*imported.graph, target, options));
  return programs;
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

absl::StatusOr<std::unique_ptr<runtime::Session>> LoadKernel(
    const runtime::Artifact& artifact, const runtime::Artifact* other,
    const runtime::NamedTensors& inputs, int threads) {
  std::vector<const runtime::Artifact*> artifacts = {&artifact};
  if (other != nullptr) artifacts.push_back(other);
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                         runtime::InProcessRunner().Load(artifacts, {threads}));
  ASSAY_RETURN_IF_ERROR(session->SetInputs(inputs));
  return session;
}

std::unique_ptr<runtime::Session> WithoutConversions(
    runtime::Session& session, const runtime::Artifact& artifact) {
  return std::make_unique<KernelSession>(session, artifact);
}

}  // namespace assay::suites
