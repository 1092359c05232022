// The parts that reports of repeated trials have in common.
#ifndef ASSAY_SUITES_TRIALS_REPORT_TEXT_H_
#define ASSAY_SUITES_TRIALS_REPORT_TEXT_H_

#include <cstdint>
#include <string>

#include "runtime/measure/device_facts.h"

namespace assay::suites {

// Confidence level of the bounds of rates.
constexpr double kBoundLevel = 0.95;

// Formats the rate `count / of` in percent, with its bounds (Clopper and
// Pearson), for example `99.0 [96.4, 99.9]`. Requires of > 0.
std::string RateText(int64_t count, int64_t of);

// Returns the first lines of a report: the fingerprint and the identity of the
// machine.
std::string MachineText(const runtime::DeviceFacts& machine);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_REPORT_TEXT_H_
