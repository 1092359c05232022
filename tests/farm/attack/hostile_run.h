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
//   - He is served, too, while a caller without a token keeps more connections
//     open than the program may have files, has many open streams, or sends
//     messages of 300 kB that become 300 MB when they are unpacked.
//   - No program ends, and its memory, open files and threads stay below the
//     limits.
//   - At the end, the devices are free, and no worker, no file of a session, no
//     unfinished upload and no half-open handshake is left. On SIGTERM, all
//     programs end.
#ifndef ASSAY_TESTS_FARM_ATTACK_HOSTILE_RUN_H_
#define ASSAY_TESTS_FARM_ATTACK_HOSTILE_RUN_H_

#include "absl/status/statusor.h"
#include "tests/farm/attack/hostile_options.h"
#include "tests/farm/attack/hostile_report.h"

namespace assay {

// Returns an error if the farm cannot be started. `folder` must exist.
absl::StatusOr<HostileReport> RunHostile(const HostileOptions& options);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_HOSTILE_RUN_H_
