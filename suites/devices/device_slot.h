// DeviceSlot: an open device that measures one job of a run after the other.
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
  std::vector<int> threads;  // numbers of threads to measure

  // True if a tracker lends the device.
  bool leased() const { return !facts.board.empty(); }
};

// The devices that a slot can have.
struct DeviceFiles {
  std::string folder;  // of the device files
  DeviceSource& source;
};

// Loads the file of the device `flag`, which is a value of --device, and opens
// the device. Without `threads`, the number is the default of the device. A
// leased device can be emulated although its file names no emulator, or the
// reverse: the device of the slot is as the lease says. The timing policy of a
// leased device that is not emulated is Device::board_timing, and programs are
// compiled for all its processors unless `threads` or its file gives another
// number. Returns InvalidArgument if the device cannot run so many threads.
absl::StatusOr<DeviceSlot> OpenSlot(const std::string& flag,
                                    const std::vector<int>& threads,
                                    const DeviceFiles& files);

// Returns why the rows of a run that began on the device `first` may not be
// measured on the device `other`: a sentence without its subject. Returns an
// empty string if both are machines of the same kind in the same state.
std::string WhyNotTogether(const runtime::DeviceFacts& first,
                           const runtime::DeviceFacts& other);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_DEVICES_DEVICE_SLOT_H_
