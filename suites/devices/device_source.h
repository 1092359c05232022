// DeviceSource: opens the devices that device files describe. LocalDevices
// opens this machine and its emulators, Farm leases devices from a tracker, and
// tests have fakes.
#ifndef ASSAY_SUITES_DEVICES_DEVICE_SOURCE_H_
#define ASSAY_SUITES_DEVICES_DEVICE_SOURCE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "devices/device.pb.h"
#include "runtime/measure/session.h"
#include "suites/devices/block_log.h"

namespace assay::suites {

class DeviceSource {
 public:
  virtual ~DeviceSource() = default;

  // Opens a device. If the device is shared, waits until it is free. Its runner
  // must not outlive this object. If a tracker lends the device, the thread
  // that uses the runner adds each block of samples to `*blocks`, which must
  // outlive the runner; `blocks` may be null. Thread-safe.
  virtual absl::StatusOr<std::unique_ptr<runtime::Runner>> Open(
      const devices::Device& device, BlockLog* blocks) = 0;

  // Returns a digest of the runtime with which a runner of this device executes
  // programs, or an empty string if it is unknown. Equal digests mean that the
  // runtime is the same bit by bit. Thread-safe.
  virtual std::string RuntimeDigest(const devices::Device& /*device*/) {
    return "";
  }

  // Makes all calls of Open() that are waiting for a device, and all later
  // calls, return Cancelled. Has no effect if devices are not shared.
  // Thread-safe.
  virtual void StopWaiting() {}

  // Returns lines about the devices for the report, each of which ends in a
  // newline.
  virtual std::string notes() const { return ""; }
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_DEVICES_DEVICE_SOURCE_H_
