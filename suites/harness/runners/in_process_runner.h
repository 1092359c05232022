// InProcessRunner: runs artifacts in this process, on this machine's
// processors.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_IN_PROCESS_RUNNER_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_IN_PROCESS_RUNNER_H_

#include <map>
#include <memory>

#include "absl/status/statusor.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/measure/measurer.h"
#include "suites/harness/services.h"

namespace assay::suites {

// Sessions of as many threads share them, and take turns.
class InProcessRunner : public Runner {
 public:
  absl::StatusOr<std::unique_ptr<Session>> Load(
      const runtime::Artifact& artifact, const runtime::NamedTensors& inputs,
      int threads) override;

 private:
  std::map<int, std::shared_ptr<runtime::CpuDevice>> devices_;
};

// The timing policy as the measurer takes it.
runtime::MeasureOptions ToMeasureOptions(const devices::TimingPolicy& timing);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_IN_PROCESS_RUNNER_H_
