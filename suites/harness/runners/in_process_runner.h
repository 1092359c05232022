// InProcessRunner: runs artifacts in this process, on this machine's
// processors.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_IN_PROCESS_RUNNER_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_IN_PROCESS_RUNNER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/measure/measurer.h"
#include "suites/harness/services.h"

namespace assay::suites {

class InProcessRunner : public Runner {
 public:
  absl::StatusOr<std::unique_ptr<Session>> Load(
      const runtime::Artifact& artifact, const runtime::NamedTensors& inputs,
      int threads) override;
};

// The timing policy as the measurer takes it.
runtime::MeasureOptions ToMeasureOptions(const devices::TimingPolicy& timing);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_IN_PROCESS_RUNNER_H_
