// RunHostile: starts a tracker, a proxy, and the servers of two devices, one of
// them behind the proxy, and sends hostile messages to the tracker, the first
// server and the proxy, over several connections at the same time.
//
// The attacker is a user and a device of the farm: he has valid tokens of both,
// leases devices, and runs a program on them. What must hold:
//   - Each call ends within ten seconds, with a status that its .proto file
//     documents.
//   - After every few hundred messages, an honest user is served: the tracker
//     answers, and both devices take samples.
//   - No program ends, and its memory, open files and threads stay below the
//     limits.
//   - At the end, the devices are free, and no worker, no file of a session, no
//     unfinished upload and no half-open handshake is left. On SIGTERM, all
//     programs end.
#ifndef ASSAY_TESTS_FARM_ATTACK_HOSTILE_RUN_H_
#define ASSAY_TESTS_FARM_ATTACK_HOSTILE_RUN_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tests/farm/attack/hostile_report.h"

namespace assay {

struct HostileOptions {
  // The programs `tracker`, `server`, `proxy` and `sleeping_worker`.
  std::string tracker_program;
  std::string server_program;
  std::string proxy_program;
  std::string worker_program;
  // The folder of the .proto files.
  std::string protos;
  std::string folder;
  int64_t messages = 10'000;  // to each of the three
  int64_t round = 300;        // after so many, the honest user is served
  int connections = 4;
  uint64_t seed = 1;
  // Of each program.
  int64_t max_memory_bytes = int64_t{256} << 20;
  int64_t max_files = 300;
  int64_t max_threads = 100;
  // After which an unfinished upload is removed. If it is longer than a round,
  // uploads of the attacker are in the way of those of honest users.
  int upload_seconds = 10;
  // Waits until the programs have closed the handshakes that were kept open.
  bool wait_for_handshakes = true;
  bool progress = false;  // on standard error
};

// Returns an error if the farm cannot be started. `folder` must exist.
absl::StatusOr<HostileReport> RunHostile(const HostileOptions& options);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_HOSTILE_RUN_H_
