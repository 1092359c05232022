#include "rpc/tracker/book_state.h"

#include <limits>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"

namespace assay::rpc::tracker {
namespace {

// Sums and products with these numbers do not overflow: hundreds of years for a
// number of minutes, and more tokens than a farm can use.
constexpr int64_t kMaxMinute = 100'000'000;
constexpr int64_t kMaxNumber = std::numeric_limits<int64_t>::max() / 4;
// One minute of a hundred thousand devices.
constexpr int64_t kMaxMinuteNanos = 60'000'000'000 * 100'000;

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(
      absl::StrCat("the stored state of the tracker is invalid: ", args...));
}

}  // namespace

absl::Status ValidateState(const BookState& state) {
  if (state.reserved_tokens < 0 || state.reserved_tokens > kMaxNumber) {
    return Invalid("it has ", state.reserved_tokens, " reserved tokens");
  }
  std::set<std::string> devices;
  for (const DeviceRecord& device : state.devices) {
    if (device.device.empty() || device.key.empty()) {
      return Invalid("device `", device.device, "` has the key `", device.key,
                     "`, and one of both is empty");
    }
    if (!devices.insert(device.device).second) {
      return Invalid("it has device `", device.device, "` twice");
    }
  }
  std::set<std::string> leased;
  std::set<int64_t> tokens;
  for (const Lease& lease : state.leases) {
    if (lease.token <= 0 || lease.token > state.reserved_tokens) {
      return Invalid("the token of lease ", lease.token, " of `", lease.device,
                     "` is not reserved");
    }
    if (devices.count(lease.device) == 0) {
      return Invalid("lease ", lease.token, " has the unknown device `",
                     lease.device, "`");
    }
    if (lease.user.empty() || lease.ticket.empty()) {
      return Invalid("lease ", lease.token, " has no user or no ticket");
    }
    if (!leased.insert(lease.device).second) {
      return Invalid("device `", lease.device, "` has two leases");
    }
    if (!tokens.insert(lease.token).second) {
      return Invalid("two leases have the token ", lease.token);
    }
  }
  std::set<std::string> tickets;
  std::set<int64_t> orders;
  for (const Request& request : state.requests) {
    if (request.ticket.empty() || request.user.empty() || request.key.empty()) {
      return Invalid("request `", request.ticket,
                     "` has no ticket, user or key");
    }
    if (request.order <= 0 || request.order > kMaxNumber) {
      return Invalid("request `", request.ticket, "` has the order number ",
                     request.order);
    }
    if (!tickets.insert(request.ticket).second) {
      return Invalid("it has request `", request.ticket, "` twice");
    }
    if (!orders.insert(request.order).second) {
      return Invalid("two requests have the order number ", request.order);
    }
  }
  for (const UsageRecord& record : state.usage) {
    if (record.user.empty() || record.minute < 0 ||
        record.minute > kMaxMinute || record.nanos < 0 ||
        record.nanos > kMaxMinuteNanos) {
      return Invalid("user `", record.user, "` has used ", record.nanos,
                     " ns in minute ", record.minute);
    }
  }
  return absl::OkStatus();
}

}  // namespace assay::rpc::tracker
