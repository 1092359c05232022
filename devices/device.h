// LoadDevice: reads and validates a device file (format: device.proto). If a
// file is invalid, the error message contains the name of the file and the line
// or the field that is wrong.
//
//   ASSAY_ASSIGN_OR_RETURN(Device device, LoadDevice("rpi3b", "devices"));
#ifndef ASSAY_DEVICES_DEVICE_H_
#define ASSAY_DEVICES_DEVICE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "devices/device.pb.h"

namespace assay::devices {

// Loads `device`, which is either the name of a device in `folder` or the path
// of a file whose name ends in `.textproto`. Returns NotFound, with the list of
// devices in `folder`, if `folder` has no device of this name.
absl::StatusOr<Device> LoadDevice(const std::string& device,
                                  const std::string& folder);

// Returns the sorted names of the devices in `folder`.
absl::StatusOr<std::vector<std::string>> ListDevices(const std::string& folder);

// Parses and validates `text`, the contents of a device file, and sets the
// missing fields that have a default. `file` is the name of the file in error
// messages.
absl::StatusOr<Device> ParseDevice(absl::string_view text,
                                   absl::string_view file);

// Returns true if the device is an emulator.
inline bool IsEmulated(const Device& device) { return device.has_emulator(); }

}  // namespace assay::devices

#endif  // ASSAY_DEVICES_DEVICE_H_
