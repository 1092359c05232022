#include "suites/devices/place.h"

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "runtime/device/cpu/cpu_count.h"

namespace assay::suites {

absl::StatusOr<Place> ResolvePlace(const devices::Device& device,
                                   const std::string& fingerprint,
                                   int threads) {
  absl::StatusOr<target::Target> target =
      driver::ResolveTarget(device.target());
  if (!target.ok()) {
    return absl::Status(target.status().code(),
                        absl::StrCat("the target of device `", device.name(),
                                     "`: ", target.status().message()));
  }
  int cores = target->num_cores();
  if (cores == 0) cores = threads;
  if (cores == 0 && device.has_in_process()) cores = runtime::UsableCpuCount();
  if (cores > 0) target = target->WithCores(cores);
  return Place{*target, device.name(), fingerprint,
               threads > 0 ? threads : cores, threads == 0};
}

}  // namespace assay::suites
