// UtcNow: the time of day, for records that people read. Durations are measured
// with a Clock (clock.h).
#ifndef ASSAY_RUNTIME_BASE_UTC_NOW_H_
#define ASSAY_RUNTIME_BASE_UTC_NOW_H_

#include <string>

namespace assay {

// Returns the time in UTC, to the second, such as `2026-11-24T12:00:00Z`.
std::string UtcNow();

}  // namespace assay

#endif  // ASSAY_RUNTIME_BASE_UTC_NOW_H_
