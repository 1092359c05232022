// CreateDevice: creates a device for a given kind of code. devices.cc contains
// the list of all devices of this runtime.
//
//   ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Device> device,
//                          CreateDevice(artifact.code_kind, num_threads));
//
// Programs that run artifacts create devices with CreateDevice() and use them
// through the interface Device. Only code that is specific to one device, for
// example its tests, refers to a class such as CpuDevice. The list is not part
// of runtime/device, because it depends on the devices, which in turn depend on
// the interface in runtime/device.
#ifndef ASSAY_RUNTIME_DEVICES_DEVICES_H_
#define ASSAY_RUNTIME_DEVICES_DEVICES_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/device/device.h"

namespace assay::runtime {

// Creates the device that runs code of kind `code_kind`, with `num_threads`
// threads. 0 means the default of the device. The default of the CPU is one
// thread for each processor that this process may use. The default of the
// interpreter is one thread. Returns InvalidArgument, with the list of kinds,
// if no device runs this kind of code. If the device does not support the
// number of threads, returns an error.
absl::StatusOr<std::unique_ptr<Device>> CreateDevice(
    absl::string_view code_kind, int num_threads = 0);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICES_DEVICES_H_
