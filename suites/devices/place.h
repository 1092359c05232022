// Place: the device and the number of threads with which a program runs, and
// the target for which it is compiled. Times of programs are comparable only if
// their places are equal.
#ifndef ASSAY_SUITES_DEVICES_PLACE_H_
#define ASSAY_SUITES_DEVICES_PLACE_H_

#include <string>

#include "absl/status/statusor.h"
#include "compiler/target/target.h"
#include "devices/device.pb.h"

namespace assay::suites {

struct Place {
  target::Target target;    // with the number of cores, if it is known
  std::string device;       // name
  std::string fingerprint;  // of the device (runtime::DeviceFacts)
  int threads = 0;          // 0 stands for all processors of another machine
  // True if no number of threads was requested, so that `threads` is the number
  // of processors.
  bool any_threads = false;
};

// Returns the place of programs that run on `device` with `threads` threads; 0
// stands for all processors. The number of cores of the target is
//   - the number that the target of the device specifies (option -num-cores),
//     if it specifies a number;
//   - otherwise the number of threads, if it is not 0;
//   - otherwise the number of usable processors of this machine, if the device
//     runs programs in this process;
//   - otherwise unknown (Target::num_cores() is 0).
// Returns an error that names the device if its target is invalid.
absl::StatusOr<Place> ResolvePlace(const devices::Device& device,
                                   const std::string& fingerprint, int threads);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_DEVICES_PLACE_H_
