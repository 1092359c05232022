// Converts facts of devices (runtime/measure/device_facts.h) to the types of
// reports, and device files to facts.
#ifndef ASSAY_SUITES_MACHINE_ENVIRONMENT_H_
#define ASSAY_SUITES_MACHINE_ENVIRONMENT_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "devices/device.pb.h"
#include "reports/result/run_result.h"
#include "runtime/measure/device_facts.h"

namespace assay::suites {

reports::Environment EnvironmentOf(const runtime::DeviceFacts& facts);

// Returns the parts of the state that must agree for times to be comparable, as
// `key=value` in a fixed order.
std::string ComparableState(const reports::Environment& environment);

// Describes the differences between two such texts, for example
// `governor: performance, was powersave`; empty if there are none.
std::string StateChanges(absl::string_view before, absl::string_view now);

// Returns the facts of an emulated device. The fingerprint starts with
// `emulated-`, so it never equals that of a machine.
runtime::DeviceFacts EmulatedFacts(const devices::Device& device);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MACHINE_ENVIRONMENT_H_
