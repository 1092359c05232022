#include "suites/harness/host.h"

#include <utility>

#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"
#include "runtime/tools/count/count_kernels.h"

namespace assay::suites {
namespace {

constexpr double kCountSeconds = 60;

}  // namespace

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

absl::StatusOr<int64_t> ThisMachine::MeasurePeakMemory(
    const runtime::Artifact& artifact, int threads,
    const runtime::NamedTensors& inputs) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<runtime::Runner> runner,
                         OpenProcess(/*path=*/""));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<runtime::Session> session,
                         runner->Load({&artifact}, {threads}));
  ASSAY_RETURN_IF_ERROR(session->SetInputs(inputs));
  ASSAY_RETURN_IF_ERROR(runtime::RunOnce(*session).status());
  return session->PeakResidentBytes();
}

absl::StatusOr<std::vector<runtime::RegionCounts>> ThisMachine::CountKernels(
    const runtime::Artifact& artifact) {
  runtime::CountOptions options;
  options.time_limit_s = kCountSeconds;
  ASSAY_ASSIGN_OR_RETURN(runtime::KernelCounts counts,
                         runtime::CountKernels(program_, artifact, options));
  return std::move(counts.calls);
}

}  // namespace assay::suites
