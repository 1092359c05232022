// ShareDevices: three users of different greed share the devices.
#ifndef ASSAY_TESTS_FARM_CHAOS_SHARE_FAULTS_H_
#define ASSAY_TESTS_FARM_CHAOS_SHARE_FAULTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/farm/chaos/chaos_farm.h"
#include "tests/farm/chaos/tools/fault_table.h"

namespace assay {

// For `seconds`, the first user has 4 clients, the second 6 and the third 12,
// each of which leases a device for about a second again and again. No other
// user must use the devices. The device-seconds of each user must be within
// 10 % of a third.
absl::StatusOr<FaultRow> ShareDevices(ChaosFarm& farm,
                                      const std::vector<std::string>& users,
                                      double seconds);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_SHARE_FAULTS_H_
