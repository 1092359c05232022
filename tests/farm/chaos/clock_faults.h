// SetWallClocks: the wall clock of all programs jumps.
#ifndef ASSAY_TESTS_FARM_CHAOS_CLOCK_FAULTS_H_
#define ASSAY_TESTS_FARM_CHAOS_CLOCK_FAULTS_H_

#include "absl/status/statusor.h"
#include "tests/farm/chaos/chaos_farm.h"
#include "tests/farm/chaos/chaos_users.h"
#include "tests/farm/chaos/tools/fault_table.h"

namespace assay {

struct ClockOptions {
  int rounds = 3;
  double observe_s = 3;  // after each jump
  // If false, no server is stopped, and measurements may break, because the
  // machine may be too busy for heartbeats.
  bool strict = true;
};

// Sets the clocks of tracker, servers and users forwards and backwards by hours
// in each round, and backwards while a server that is used does not answer.
// Nothing must happen: no measurement breaks except on the server that was
// stopped, whose user must measure again within 10 s.
absl::StatusOr<FaultRow> SetWallClocks(ChaosFarm& farm, ChaosUsers& users,
                                       const ClockOptions& options);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_CLOCK_FAULTS_H_
