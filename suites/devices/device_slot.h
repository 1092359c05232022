// DeviceSlot: an open device that measures jobs of a run, one at a time.
#ifndef ASSAY_SUITES_DEVICES_DEVICE_SLOT_H_
#define ASSAY_SUITES_DEVICES_DEVICE_SLOT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "runtime/measure/device_facts.h"
#include "runtime/measure/session.h"
#include "suites/devices/block_log.h"
#include "suites/devices/device_source.h"

namespace assay::suites {

struct DeviceSlot {
  std::string flag;  // value of --device
  devices::Device device;
  // The blocks of samples that a leased device has taken. Outlives the runner.
  std::unique_ptr<BlockLog> blocks;
  std::unique_ptr<runtime::Runner> runner;
  // The facts of the runner when the device was opened. A device that was lost
  // is replaced only by one with the same fingerprint.
  runtime::DeviceFacts facts;
  // DeviceSource::RuntimeDigest() of the device; empty if a farm lends it,
  // because its board has a runtime of its own.
  std::string runtime_digest = {};
  std::vector<int> threads;  // numbers of threads to measure

  // True if a tracker lends the device.
  bool leased() const { return !facts.board.empty(); }
};

// Where OpenSlot() finds device files and opens devices.
struct DeviceFiles {
  std::string folder;  // of the device files
  DeviceSource& source;
};

// Loads the file of the device `flag`, which is a value of --device, and opens
// the device. If `threads` is empty, the slot has the default number of threads
// of the device. A tracker may lend an emulated device although the device file
// names no emulator, or a board although the file names one. DeviceSlot::device
// is changed to match the leased device. The timing policy of a leased device
// that is not emulated is Device::board_timing, and programs are compiled for
// all its processors unless `threads` or its file gives another number. Returns
// InvalidArgument if a number of threads is too large for the device.
absl::StatusOr<DeviceSlot> OpenSlot(const std::string& flag,
                                    const std::vector<int>& threads,
                                    const DeviceFiles& files);

// Returns why the rows of a run that began on the device `first` may not be
// measured on the device `other`. The text is the predicate of a sentence whose
// subject is `other`, for example `is in another state than rpi3b-1 (…)`.
// Returns an empty string if both are machines of the same kind in the same
// state.
std::string WhyNotTogether(const runtime::DeviceFacts& first,
                           const runtime::DeviceFacts& other);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_DEVICES_DEVICE_SLOT_H_
