// InProcessRunner: runs artifacts in this process, on the device that their code
// is for.
#ifndef ASSAY_SUITES_HARNESS_RUNNERS_IN_PROCESS_RUNNER_H_
#define ASSAY_SUITES_HARNESS_RUNNERS_IN_PROCESS_RUNNER_H_

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "runtime/device/device.h"
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
  // By kind of code and number of threads.
  std::map<std::pair<std::string, int>, std::shared_ptr<runtime::Device>>
      devices_;
};

// The timing policy as the measurer takes it.
runtime::MeasureOptions ToMeasureOptions(const devices::TimingPolicy& timing);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_RUNNERS_IN_PROCESS_RUNNER_H_
