// RunChaos: does to a farm with 8 devices what can happen to one, while users
// compare programs on it, and counts what must hold.
//
// Each fault is one row of a table (fault_table.h). The faults are those of
//   kill_faults.h     kill -9 of each program, with the promises of the tracker
//   device_faults.h   workers that hang, servers that are silent, slow devices
//   token_faults.h    leases after their end
//   network_faults.h  a slow network that breaks connections
//   blob_faults.h     uploads that are cut, damaged artifacts, full disks
//   clock_faults.h    wall clocks that jump
//   share_faults.h    three users
// At last, all users are killed, and nothing may be left of them.
#ifndef ASSAY_TESTS_FARM_CHAOS_CHAOS_RUN_H_
#define ASSAY_TESTS_FARM_CHAOS_CHAOS_RUN_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/farm/chaos/chaos_farm.h"
#include "tests/farm/chaos/tools/fault_table.h"

namespace assay {

// The names of groups of faults, in the order in which they run.
std::vector<std::string> ChaosGroups();

struct ChaosOptions {
  std::string folder = {};  // exists; receives logs and records
  ChaosPrograms programs = {};
  bool small_disks = false;  // ChaosFarmOptions
  int devices = 8;
  // Fewer than devices: those of killed users are leased for a while.
  int users = 3;
  int kills = 50;        // of each of tracker, server, worker and user
  double pause_s = 1.2;  // the mean between two kills
  // How often the other faults happen, relative to the long run; at least once.
  double scale = 1;
  // If false, times do not count, because the machine may be busy.
  bool strict = true;
  std::set<std::string> groups = {};  // empty: all
  uint64_t seed = 1;
  bool progress = false;
};

// Returns an error if the farm cannot be started. What fails later is a row
// that does not hold.
absl::StatusOr<std::vector<FaultRow>> RunChaos(const ChaosOptions& options);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_CHAOS_RUN_H_
