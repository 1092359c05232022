// Makes the lanes of a run (run_state.h).
#ifndef ASSAY_SUITES_HARNESS_LANE_H_
#define ASSAY_SUITES_HARNESS_LANE_H_

#include <string>

#include "absl/status/statusor.h"
#include "runtime/measure/device_facts.h"
#include "suites/harness/flags/options.h"
#include "suites/harness/run_services.h"
#include "suites/harness/run_state.h"

namespace assay::suites {

// Loads the file of the device `flag`, which is a value of --device, and makes
// a runner for it. If a tracker lends devices, waits for a lease. A leased
// device can be emulated although its file names no emulator, or the reverse:
// the device of the lane is as the lease says. The timing policy of a leased
// device that is not emulated is Device::board_timing, and programs are
// compiled for all its processors unless --threads or its file gives another
// number. Returns the error of Compiler::CanTune() if --tuning requires tuned
// rows, and omits them if --tuning=auto allows this.
absl::StatusOr<Lane> MakeLane(const Options& options, const Services& services,
                              const std::string& flag);

// Returns why the rows of a run that began on the device `first` may not be
// measured on the device `other`: a sentence without its subject. Returns an
// empty string if both are machines of the same kind in the same state.
std::string WhyNotTogether(const runtime::DeviceFacts& first,
                           const runtime::DeviceFacts& other);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_LANE_H_
