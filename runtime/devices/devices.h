// CreateDevice: the devices of this runtime, from one explicit list
// (devices.cc).
//
//   ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Device> device,
//                          CreateDevice(artifact.code_kind, num_threads));
//
// Programs that run artifacts create their device here and hold a Device; only
// code about one device in particular (its tests, for example) names a class
// such as CpuDevice. The list is apart from runtime/device, the interface, so
// that the devices can depend on the interface and the list on the devices.
#ifndef ASSAY_RUNTIME_DEVICES_DEVICES_H_
#define ASSAY_RUNTIME_DEVICES_DEVICES_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/device/device.h"

namespace assay::runtime {

// Creates the device that runs code of kind `code_kind`, on `num_threads`
// threads (0: as many as this process may use). InvalidArgument, naming the
// kinds that exist, if there is none.
absl::StatusOr<std::unique_ptr<Device>> CreateDevice(
    absl::string_view code_kind, int num_threads = 0);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICES_DEVICES_H_
