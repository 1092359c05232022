// TuningRack: the devices of a run of the tuner, and the objects that the
// devices need. Devices are opened in the same way as for a suite, so that the
// targets of the records are those of the rows of the suite.
#ifndef ASSAY_SUITES_TUNE_PROGRAMS_TUNING_RACK_H_
#define ASSAY_SUITES_TUNE_PROGRAMS_TUNING_RACK_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/measure/in_process.h"
#include "suites/devices/device_slot.h"
#include "suites/devices/farm.h"
#include "suites/harness/progress.h"
#include "suites/tune/search/tune_task.h"

namespace assay::suites {

struct RackOptions {
  std::string device;
  int threads = 0;      // 0: the default number of the device
  bool accepts = true;  // if false, the devices have no judge
  FarmOptions farm;
};

class TuningRack {
 public:
  // Opens `farm.parallel` devices. `program` is argv[0].
  static absl::StatusOr<std::unique_ptr<TuningRack>> Open(
      const RackOptions& options, const std::string& program,
      Progress* progress);

  const std::vector<TuningDevice>& devices() const { return tuning_; }
  // Returns true if the device is this machine.
  bool is_here() const {
    return !farm_.has_value() && slots_[0].device.has_in_process();
  }
  // The pause that the device needs before each sample.
  int cooldown_ms() const { return slots_[0].device.timing().cooldown_ms(); }

 private:
  absl::Status Add(DeviceSlot slot, bool accepts);

  std::optional<Farm> farm_;  // outlives the runners
  runtime::InProcessRunner in_process_;
  std::vector<DeviceSlot> slots_;
  std::vector<TuningDevice> tuning_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_PROGRAMS_TUNING_RACK_H_
