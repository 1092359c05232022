// LocalMeasurer: measures in this process, on a device of this machine.
#ifndef ASSAY_RUNTIME_MEASURE_LOCAL_MEASURER_H_
#define ASSAY_RUNTIME_MEASURE_LOCAL_MEASURER_H_

#include "absl/status/statusor.h"
#include "runtime/base/clock.h"
#include "runtime/device/device.h"
#include "runtime/executor/executor.h"
#include "runtime/measure/measurer.h"

namespace assay::runtime {

// Measures a model that is loaded and has its inputs. For callers who keep
// executors, to time two of them in turns.
absl::StatusOr<MeasureResult> MeasureExecutor(
    Executor* executor, const MeasureOptions& options,
    const MeasureProgressFn& progress = nullptr,
    Clock* clock = Clock::Monotonic());

class LocalMeasurer : public Measurer {
 public:
  // `device` must outlive the measurer.
  explicit LocalMeasurer(Device* device) : device_(device) {}

  absl::StatusOr<MeasureResult> Measure(
      const Artifact& artifact, const NamedTensors& inputs,
      const MeasureOptions& options,
      const MeasureProgressFn& progress) override;

 private:
  Device* const device_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_MEASURE_LOCAL_MEASURER_H_
