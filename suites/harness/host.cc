#include "suites/harness/host.h"

#include "runtime/device/cpu/cpu_count.h"

namespace assay::suites {

void ThisMachine::StartObserving(int threads) {
  meter_.emplace(threads, runtime::UsableCpuCount());
}

std::vector<std::string> ThisMachine::StopObserving() { return meter_->Stop(); }

absl::StatusOr<reports::Canary> ThisMachine::TestComparisons(
    const CanaryMode& mode, uint64_t seed) {
  return RunCanary(mode, seed);
}

absl::StatusOr<std::unique_ptr<runtime::Runner>> ThisMachine::OpenProcess(
    const std::string& path) {
  return devices_.OpenProcess(path);
}

}  // namespace assay::suites
