// PresentStaleTokens: uses leases after their end.
#ifndef ASSAY_TESTS_FARM_CHAOS_TOKEN_FAULTS_H_
#define ASSAY_TESTS_FARM_CHAOS_TOKEN_FAULTS_H_

#include "absl/status/statusor.h"
#include "tests/farm/chaos/chaos_farm.h"
#include "tests/farm/chaos/tools/fault_table.h"

namespace assay {

// Makes all calls at `probe` with leases
//   - that were released, after the next holder has used the device;
//   - that were released, after the server was killed and forgot everything;
//   - that the tracker has ended because the server was stopped, when it runs
//     again (if `stops` is positive).
// All must be refused with ABORTED.
absl::StatusOr<FaultRow> PresentStaleTokens(ChaosFarm& farm, int releases,
                                            int kills, int stops);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_TOKEN_FAULTS_H_
