// The targets and sizes of the attacks of RunHostile().
#ifndef ASSAY_TESTS_FARM_ATTACK_HOSTILE_OPTIONS_H_
#define ASSAY_TESTS_FARM_ATTACK_HOSTILE_OPTIONS_H_

#include <cstdint>
#include <string>

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
  // These apply to each program.
  int64_t max_memory_bytes = int64_t{256} << 20;
  int64_t max_files = 300;
  int64_t max_threads = 100;
  // After which an unfinished upload is removed. If it is longer than a round,
  // uploads of the attacker are in the way of those of honest users.
  int upload_seconds = 10;
  // Waits until the programs have closed the handshakes that were kept open.
  bool wait_for_handshakes = true;
  // After the messages, each program gets so many connections at once on which
  // nothing is sent, and so many streams. If not 0, the programs may open this
  // number of files.
  int flood_connections = 1'100;
  int flood_streams = 200;
  int64_t file_limit = 1'024;
  bool progress = false;  // on standard error
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_HOSTILE_OPTIONS_H_
