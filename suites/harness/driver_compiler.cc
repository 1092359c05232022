#include "suites/harness/driver_compiler.h"

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"

namespace assay::suites {
namespace {

// Returns the target of the device with the number of cores that is documented
// in the header.
absl::StatusOr<target::Target> Resolve(const CompileTarget& request) {
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
  return cores > 0 ? target->WithCores(cores) : *std::move(target);
}

}  // namespace

absl::StatusOr<CompiledModel> DriverCompiler::Compile(
    const Model& model, const CompileTarget& request,
    const reports::Variant& variant, const std::string& dump_dir) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target, Resolve(request));
  driver::CompileOptions options = options_;
  options.fusion = variant.fusion;
  options.dump_dir = dump_dir;
  CompiledModel compiled;
  CHECK(!variant.tuned);
  ASSAY_ASSIGN_OR_RETURN(compiled.artifact,
                         driver::Compile(*model.graph, target, options));
  return compiled;
}

absl::Status DriverCompiler::CanTune(const CompileTarget& /*target*/) const {
  return absl::NotFoundError("there is no log of the tuner");
}

}  // namespace assay::suites
