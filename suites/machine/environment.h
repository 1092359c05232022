// Converts the facts of a device (runtime/measure/device_facts.h) to an
// Environment for reports.
#ifndef ASSAY_SUITES_MACHINE_ENVIRONMENT_H_
#define ASSAY_SUITES_MACHINE_ENVIRONMENT_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"
#include "runtime/measure/device_facts.h"

namespace assay::suites {

reports::Environment EnvironmentOf(const runtime::DeviceFacts& facts);

// Returns the entries of `environment.state` that must be equal in two runs so
// that their times are comparable. Format: `key=value` pairs, separated by
// spaces, in a fixed order.
std::string ComparableState(const reports::Environment& environment);

// Describes the differences between two results of ComparableState(), for
// example `governor: performance, was powersave`. Returns an empty string if
// there are no differences.
std::string StateChanges(absl::string_view before, absl::string_view now);

// Returns one sentence if programs may use fewer processors than the device
// has, because of an affinity mask or a quota; otherwise an empty string. The
// fingerprint names the processors of the device, not those that were used.
std::string ProcessorRemark(const reports::Environment& environment);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MACHINE_ENVIRONMENT_H_
