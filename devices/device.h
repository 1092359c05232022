// LoadDevice: reads and checks a device file (device.proto says what is in
// it). Every error names the file, and the line or the field at fault.
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

// `device` is a device's name, looked up in `folder`, or the path of a file of
// any name that ends in `.textproto`. An unknown name is a NotFound error that
// lists those there are.
absl::StatusOr<Device> LoadDevice(const std::string& device,
                                  const std::string& folder);

// The names of the devices in `folder`, sorted.
absl::StatusOr<std::vector<std::string>> ListDevices(const std::string& folder);

// Parses and checks the text of a file; `file` is for the messages.
absl::StatusOr<Device> ParseDevice(absl::string_view text,
                                   absl::string_view file);

inline bool IsEmulated(const Device& device) { return device.has_emulator(); }

}  // namespace assay::devices

#endif  // ASSAY_DEVICES_DEVICE_H_
