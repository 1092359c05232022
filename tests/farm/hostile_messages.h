// HostileMessages: sends thousands of calls with damaged, forged and
// exaggerated contents to a program of the farm, over one TLS connection at a
// time.
//
// Each call takes a valid message of a method, and usually damages it: bytes
// are changed, cut or inserted, lengths claim up to 4 GiB, texts become path
// names, numbers become extreme. The metadata has no token, a forged one, or a
// valid one of any role, and no lease, a forged one or one that has ended.
#ifndef ASSAY_TESTS_FARM_HOSTILE_MESSAGES_H_
#define ASSAY_TESTS_FARM_HOSTILE_MESSAGES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "google/protobuf/message.h"
#include "rpc/transport/credentials.h"

namespace assay {

struct HostileCall {
  std::string method;  // `/assay.rpc.Tracker/List`
  std::string valid;   // the bytes of a valid message
};

struct HostileOptions {
  std::string address;  // HOST:PORT
  rpc::Transport transport;
  std::vector<HostileCall> calls;
  std::vector<std::string> tokens;  // valid ones
  std::vector<std::string> leases;  // bytes of leases
  // Names of a device at a proxy; empty if the program is no proxy.
  std::vector<std::string> devices;
  int64_t number = 10'000;
  uint64_t seed = 1;
};

// How many calls ended with each status. Returns Internal, with the method and
// the message, if a call had a status that no program documents.
absl::StatusOr<std::map<std::string, int64_t>> SendHostileMessages(
    const HostileOptions& options);

// Valid messages of all methods of tracker, server and proxy.
std::vector<HostileCall> TrackerCalls();
std::vector<HostileCall> DeviceCalls();

// Opens `number` connections and sends random bytes on each. Returns Internal
// if the program cannot be reached.
absl::Status SendRandomBytes(int port, int64_t number, uint64_t seed);

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_HOSTILE_MESSAGES_H_
