#include "suites/harness/driver_compiler.h"

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "runtime/device/cpu/cpu_count.h"

namespace assay::suites {

absl::StatusOr<runtime::Artifact> DriverCompiler::Compile(
    const Model& model, const devices::Device& device, bool fusion, int threads,
    const std::string& dump_dir) {
  const absl::StatusOr<target::Target> target =
      driver::ResolveTarget(device.target());
  if (!target.ok()) {
    return absl::Status(target.status().code(),
                        absl::StrCat("the target of device `", device.name(),
                                     "`: ", target.status().message()));
  }
  driver::CompileOptions options = options_;
  options.fusion = fusion;
  options.dump_dir = dump_dir;
  int cores = target->num_cores();
  if (cores == 0) cores = threads;
  if (cores == 0 && device.has_in_process()) cores = runtime::UsableCpuCount();
  return driver::Compile(
      *model.graph, cores > 0 ? target->WithCores(cores) : *target, options);
}

}  // namespace assay::suites
