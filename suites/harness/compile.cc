#include "suites/harness/compile.h"

#include <memory>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/clock.h"
#include "runtime/base/process_memory.h"
#include "runtime/base/status_macros.h"
#include "suites/devices/place.h"

namespace assay::suites {
namespace {

reports::BuildFacts Describe(const runtime::Artifact& artifact) {
  reports::BuildFacts build;
  build.artifact_digest = runtime::Digest(artifact);
  build.kernels = static_cast<int>(artifact.calls.size());
  for (const runtime::KernelCall& call : artifact.calls) {
    build.flops += call.flops;
  }
  for (const auto* calls : {&artifact.setup, &artifact.calls}) {
    for (const runtime::KernelCall& call : *calls) {
      build.code.push_back({call.symbol, call.sources, call.code_digest});
    }
  }
  build.artifact_bytes = runtime::FileBytes(artifact);
  build.params_bytes = static_cast<int64_t>(artifact.params.size());
  build.arena_bytes = artifact.arena_bytes;
  const auto live = artifact.metadata.find(runtime::kMetaLiveBytes);
  if (live != artifact.metadata.end()) {
    (void)absl::SimpleAtoi(live->second, &build.live_bytes);
  }
  return build;
}

}  // namespace

absl::StatusOr<CompiledCell> CompileStage::Compile(
    const Model& model, const reports::CellKey& cell,
    const DeviceSlot& slot) const {
  progress_.Step("compiling");
  const int64_t start = MonotonicNanos();
  const ScopedMemoryLimit limit(options_.max_memory,
                                absl::StrCat("compiling `", model.name, "`"));
  ASSAY_ASSIGN_OR_RETURN(
      const Place place,
      ResolvePlace(slot.device, slot.facts.fingerprint, cell.threads));
  ASSAY_ASSIGN_OR_RETURN(
      CompiledModel compiled,
      compiler_.Compile(model, place, cell.variant, options_.dump.For(cell)));
  const double ms = static_cast<double>(MonotonicNanos() - start) / 1e6;
  CompiledCell result;
  result.build = Describe(compiled.artifact);
  result.build.model_digest = model.digest;
  result.build.tuning_digest = std::move(compiled.tuning_digest);
  result.build.compile_ms = ms + model.import_ms;
  result.tuning_remark = std::move(compiled.tuning_remark);
  result.artifact =
      std::make_shared<const runtime::Artifact>(std::move(compiled.artifact));
  return result;
}

}  // namespace assay::suites
