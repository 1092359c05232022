// RunChaos: runs a farm of sleeping devices on this machine, lets users compare
// programs on it, and kills what they use, at random moments.
//
// What must hold, and what is counted:
//   - No verdict is false (chaos_client.cc): equal programs are not called
//     different, and a slower one is not called equal or faster.
//   - Nothing that a user wrote down is lost: each line is whole.
//   - A user whose device is gone gets another one within ten seconds.
//   - When all users are gone, no device stays leased.
#ifndef ASSAY_TESTS_FARM_CHAOS_RUN_H_
#define ASSAY_TESTS_FARM_CHAOS_RUN_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "rpc/farm/local_farm.h"

namespace assay {

struct ChaosOptions {
  // The programs `tracker`, `server`, `sleeping_worker` and `chaos_client`.
  std::string tracker_program;
  std::string server_program;
  std::string worker_program;
  std::string client_program;
  std::string folder;
  int devices = 8;
  int clients = 6;
  // The numbers of kills of each kind.
  int tracker_kills = 50;
  int server_kills = 50;
  int worker_kills = 50;
  int client_kills = 50;
  // Mean time between two kills.
  double pause_s = 0.7;
  uint64_t seed = 1;
  bool progress = false;
};

struct ChaosReport {
  int64_t comparisons = 0;
  std::map<std::string, int64_t> verdicts;  // `equal -> equivalent`
  int64_t false_verdicts = 0;
  int64_t broken_lines = 0;
  int64_t restarts = 0;       // comparisons that began again
  double longest_wait_s = 0;  // for another device
  int64_t stuck_leases = 0;
  int64_t failed_clients = 0;  // that ended by themselves
  std::string first_failure;
  // Kills that were done, by the name of the program.
  std::map<std::string, int64_t> kills;

  bool ok() const {
    return comparisons > 0 && false_verdicts == 0 && broken_lines == 0 &&
           longest_wait_s < 10 && stuck_leases == 0 && failed_clients == 0;
  }
  std::string Text() const;
};

// Returns an error if the farm cannot be started.
absl::StatusOr<ChaosReport> RunChaos(const ChaosOptions& options);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_RUN_H_
