// KillPrograms: kills programs of a farm with SIGKILL while it is used.
#ifndef ASSAY_TESTS_FARM_CHAOS_KILL_FAULTS_H_
#define ASSAY_TESTS_FARM_CHAOS_KILL_FAULTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/farm/chaos/chaos_farm.h"
#include "tests/farm/chaos/chaos_users.h"
#include "tests/farm/chaos/tools/fault_table.h"

namespace assay {

struct KillOptions {
  int kills = 50;        // of each of tracker, server, worker and user
  double pause_s = 1.2;  // the mean between two kills
  // If false, times do not count, nor measurements that broke by themselves,
  // because the machine may be too busy for heartbeats.
  bool strict = true;
  uint64_t seed = 1;
  bool progress = false;
};

// Kills them in random order, and starts all but workers again after up to a
// second. What must hold: no false verdict, no verdict that was reported as
// recorded is lost, at most one line of a user is broken, the tracker keeps its
// promises, and users whose device was killed measure again within 10 s.
absl::StatusOr<std::vector<FaultRow>> KillPrograms(ChaosFarm& farm,
                                                   ChaosUsers& users,
                                                   const KillOptions& options);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_KILL_FAULTS_H_
