// LoadDevice: reads and validates a device file (format: device.proto). Every
// error names the file and the line or field that caused it.
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

// `device` is the name of a device in `folder`, or the path of a file that ends
// in `.textproto`. For an unknown name, the NotFound error lists the known
// devices.
absl::StatusOr<Device> LoadDevice(const std::string& device,
                                  const std::string& folder);

// The names of the devices in `folder`, sorted.
absl::StatusOr<std::vector<std::string>> ListDevices(const std::string& folder);

// Parses and validates the text of a file; `file` is its name in messages.
absl::StatusOr<Device> ParseDevice(absl::string_view text,
                                   absl::string_view file);

inline bool IsEmulated(const Device& device) { return device.has_emulator(); }

}  // namespace assay::devices

#endif  // ASSAY_DEVICES_DEVICE_H_
