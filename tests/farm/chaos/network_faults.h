// SlowNetwork: users and farm are connected by a network that is slow and
// breaks connections.
#ifndef ASSAY_TESTS_FARM_CHAOS_NETWORK_FAULTS_H_
#define ASSAY_TESTS_FARM_CHAOS_NETWORK_FAULTS_H_

#include "absl/status/statusor.h"
#include "tests/farm/chaos/chaos_farm.h"
#include "tests/farm/chaos/chaos_users.h"
#include "tests/farm/chaos/tools/fault_table.h"

namespace assay {

// For `seconds`, a request and its answer take 50 ms more, and about one of a
// hundred calls resets its connection, which has other calls, too. All verdicts
// must be right, and each user must get on afterwards.
absl::StatusOr<FaultRow> SlowNetwork(ChaosFarm& farm, ChaosUsers& users,
                                     double seconds);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_NETWORK_FAULTS_H_
