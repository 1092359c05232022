#include "suites/harness/driver_compiler.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"

namespace assay::suites {

absl::StatusOr<TunedPlace> ResolvePlace(const CompileTarget& request) {
  const devices::Device& device = request.device;
  absl::StatusOr<target::Target> target =
      driver::ResolveTarget(device.target());
  if (!target.ok()) {
    return absl::Status(target.status().code(),
                        absl::StrCat("the target of device `", device.name(),
                                     "`: ", target.status().message()));
  }
  int cores = target->num_cores();
  if (cores == 0) cores = request.threads;
  if (cores == 0 && device.has_in_process()) cores = runtime::UsableCpuCount();
  if (cores > 0) target = target->WithCores(cores);
  return TunedPlace{*target, device.name(), request.fingerprint,
                    request.threads > 0 ? request.threads : cores};
}

absl::StatusOr<CompiledModel> DriverCompiler::Compile(
    const Model& model, const CompileTarget& request,
    const reports::Variant& variant, const std::string& dump_dir) {
  ASSAY_ASSIGN_OR_RETURN(const TunedPlace place, ResolvePlace(request));
  driver::CompileOptions options = options_;
  options.fusion = variant.fusion;
  options.dump_dir = dump_dir;
  CompiledModel compiled;
  if (variant.tuned) {
    ASSAY_RETURN_IF_ERROR(CanTune(request));
    ASSAY_ASSIGN_OR_RETURN(AppliedTuning applied,
                           tuning_->Apply(*model.graph, place, &options));
    compiled.tuning_digest = std::move(applied.digest);
    compiled.tuning_remark = std::move(applied.remark);
  }
  ASSAY_ASSIGN_OR_RETURN(compiled.artifact,
                         driver::Compile(*model.graph, place.target, options));
  return compiled;
}

absl::Status DriverCompiler::CanTune(const CompileTarget& request) const {
  if (!tuning_.has_value()) {
    return absl::NotFoundError("there is no log of the tuner");
  }
  ASSAY_ASSIGN_OR_RETURN(const TunedPlace place, ResolvePlace(request));
  return tuning_->Check(place);
}

}  // namespace assay::suites
