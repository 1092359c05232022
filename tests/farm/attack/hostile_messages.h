// HostileMessages: sends calls with damaged, forged and exaggerated contents to
// a program of the farm. The attacker is a user and a device of the farm, and
// may have the lease of a device.
//
//   HostileTarget target;
//   target.program = "server";
//   …
//   HostileMessages messages(target, loot, &statuses);
//   ASSAY_RETURN_IF_ERROR(messages.Send(kStaleLease, rng, &tally));
//
// Each call takes a valid message of a method. What is wrong with it depends on
// the kind:
//
//   fuzzed            bytes are changed, cut and inserted, numbers extreme
//   wrong token       no token or lease, a forged one, several, or one of
//                     another role
//   stale lease       a lease that has ended
//   lease of another  a lease of another device
//   1 GiB claim       lengths and sizes far above what is sent
//   path name         a path instead of a name
//   truncated upload  an upload that stops or is cancelled
//   live session      extreme requests to a worker that runs
//   cancelled         a call that the client cancels at once
//   agent             messages of an agent to the proxy
#ifndef ASSAY_TESTS_FARM_ATTACK_HOSTILE_MESSAGES_H_
#define ASSAY_TESTS_FARM_ATTACK_HOSTILE_MESSAGES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "grpcpp/channel.h"
#include "grpcpp/completion_queue.h"
#include "rpc/proto/tracker.pb.h"
#include "runtime/base/random.h"
#include "tests/farm/attack/documented_statuses.h"
#include "tests/farm/attack/hostile_report.h"

namespace assay {

inline constexpr char kFuzzed[] = "fuzzed";
inline constexpr char kWrongToken[] = "wrong token";
inline constexpr char kStaleLease[] = "stale lease";
inline constexpr char kOtherLease[] = "lease of another";
inline constexpr char kClaim[] = "1 GiB claim";
inline constexpr char kPathName[] = "path name";
inline constexpr char kTruncated[] = "truncated upload";
inline constexpr char kLiveSession[] = "live session";
inline constexpr char kCancelled[] = "cancelled";
inline constexpr char kAgent[] = "agent";

// A call of a method with a valid message.
struct HostileCall {
  std::string method;  // `/assay.rpc.Tracker/List`
  std::string message;
};

struct HostileTarget {
  std::shared_ptr<grpc::Channel> channel;
  // The name of the device, at a proxy.
  std::string device;
  std::vector<HostileCall> calls;
};

// What the attacker has got.
struct Loot {
  std::string user_token;
  std::string device_token;
  // Bytes of leases. The current one may be empty.
  std::string lease;
  std::vector<std::string> stale_leases;
  std::vector<std::string> other_leases;
  // The names of leases that have ended, for the tracker.
  std::vector<rpc::LeaseName> ended;
  // A session of the current lease, or empty.
  std::string session;
};

class HostileMessages {
 public:
  // `statuses` must outlive the object.
  HostileMessages(HostileTarget target, Loot loot,
                  const DocumentedStatuses* statuses);

  // Makes a call of this kind, and adds its status. Returns Internal, with
  // the call, if its .proto file does not document the status, and
  // DeadlineExceeded if the call was not answered within ten seconds.
  absl::Status Send(const std::string& kind, Rng& rng, HostileTally* tally);

 private:
  struct Message;

  Message Draw(const std::string& kind, Rng& rng) const;
  absl::Status Check(const Message& message, const absl::Status& status,
                     double seconds) const;

  const HostileTarget target_;
  const Loot loot_;
  const DocumentedStatuses& statuses_;
  grpc::CompletionQueue queue_;
};

// Valid messages of all methods of the tracker, a device, and the agent's side
// of the proxy. The tracker's are for the device file `hostile`.
std::vector<HostileCall> TrackerCalls();
std::vector<HostileCall> DeviceCalls();
std::vector<HostileCall> AgentCalls();

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_HOSTILE_MESSAGES_H_
