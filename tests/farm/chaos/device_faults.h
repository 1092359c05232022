// Faults of single devices: workers that hang, servers that are silent, and
// devices that are slow.
#ifndef ASSAY_TESTS_FARM_CHAOS_DEVICE_FAULTS_H_
#define ASSAY_TESTS_FARM_CHAOS_DEVICE_FAULTS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "tests/farm/chaos/chaos_farm.h"
#include "tests/farm/chaos/chaos_users.h"
#include "tests/farm/chaos/tools/fault_table.h"

namespace assay {

// Stops workers with SIGSTOP. They must be gone soon after the deadline of
// their calls, and the other users must get verdicts meanwhile.
absl::StatusOr<FaultRow> HangWorkers(ChaosFarm& farm, ChaosUsers& users,
                                     int times, uint64_t seed);

// Each time, stops the server of one device with SIGSTOP, and cuts off another
// one from the tracker. Their users must measure again within 10 s, and get
// right verdicts only. After some seconds, both devices come back.
absl::StatusOr<FaultRow> SilenceDevices(ChaosFarm& farm, ChaosUsers& users,
                                        int times, uint64_t seed);

// Counts the verdicts since `from` of the device that is twice as slow, and of
// the one that throttles.
absl::StatusOr<FaultRow> CountSlowDevices(ChaosFarm& farm, ChaosUsers& users,
                                          int64_t from);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_DEVICE_FAULTS_H_
