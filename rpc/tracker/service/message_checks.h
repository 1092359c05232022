// Checks of the messages that the tracker receives (tracker.proto).
//
// Nobody but the sender vouches for a message: names become parts of tables,
// logs and messages to others, and the tracker keeps facts and states in
// memory. All functions return InvalidArgument, with the name of the field, if
// a field is not valid.
#ifndef ASSAY_RPC_TRACKER_SERVICE_MESSAGE_CHECKS_H_
#define ASSAY_RPC_TRACKER_SERVICE_MESSAGE_CHECKS_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "rpc/proto/tracker.pb.h"

namespace assay::rpc {

// Of Health.problem and QuarantineRequest.reason; more is cut off.
constexpr size_t kMaxReason = 300;
constexpr size_t kMaxHeartbeatBytes = 4 << 10;
constexpr double kMaxWaitSeconds = 24 * 3600.0;
constexpr int kMaxPriority = 100;
constexpr int kMaxPriorityOfUsers = 50;
// What `reason` starts with if the device itself reported a problem.
constexpr char kHealthReason[] = "health: ";

// Facts must be those that clients accept (rpc/facts/facts_message.h), because
// they are sent with each lease.
absl::Status CheckHello(const Hello& hello);
absl::Status CheckHeartbeat(const Heartbeat& heartbeat);
// Checks a message of the stream of `device`, which has sent `hello` before if
// `has_hello`. Returns PermissionDenied if the message is of another device.
absl::Status CheckFromDevice(const FromDevice& message,
                             absl::string_view device, bool has_hello);
// The ticket may be empty. Does not check whether the caller may use the
// priority.
absl::Status CheckAcquire(const AcquireRequest& request);
// The ticket must not be empty.
absl::Status CheckWithdraw(const WithdrawRequest& request);
absl::Status CheckLeaseName(const LeaseName& lease);
absl::Status CheckQuarantine(const QuarantineRequest& request);

// Returns the text as one line of at most kMaxReason bytes of valid UTF-8.
// Control characters are replaced by blanks.
std::string CleanReason(absl::string_view text);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_MESSAGE_CHECKS_H_
