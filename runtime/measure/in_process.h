// InProcessRunner: a Runner that runs artifacts in this process, on the devices
// of runtime/devices.
#ifndef ASSAY_RUNTIME_MEASURE_IN_PROCESS_H_
#define ASSAY_RUNTIME_MEASURE_IN_PROCESS_H_

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/base/clock.h"
#include "runtime/device/device.h"
#include "runtime/measure/session.h"

namespace assay::runtime {

class InProcessRunner : public Runner {
 public:
  // `clock` must outlive the sessions.
  explicit InProcessRunner(Clock* clock = Clock::Monotonic()) : clock_(clock) {}

  DeviceFacts facts() const override { return DescribeHost(); }

  // Sessions with the same kind of code and the same value of `threads` share a
  // device, so only one of them may run at a time. The session may outlive the
  // runner. Session::LoadNanos() includes the time to verify and parse the
  // bytes of the artifact only if LoadOptions::from_bytes is true and there is
  // one artifact. CHECK-fails unless there are one or two artifacts.
  absl::StatusOr<std::unique_ptr<Session>> Load(
      absl::Span<const Artifact* const> artifacts,
      const LoadOptions& options) override;

  // Like Load() for one artifact, but ignores LoadOptions::from_bytes, and
  // takes Artifact::params, and nothing else, from `*artifact`, so that there
  // is no second copy of the constants in memory.
  absl::StatusOr<std::unique_ptr<Session>> LoadAndTake(
      Artifact* artifact, const LoadOptions& options);

 private:
  absl::StatusOr<std::shared_ptr<Device>> DeviceFor(const Artifact& artifact,
                                                    int threads);

  Clock* const clock_;
  // Devices by kind of code and number of threads.
  std::map<std::pair<std::string, int>, std::shared_ptr<Device>> devices_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_IN_PROCESS_H_
