#include "rpc/tracker/events.h"

#include "absl/strings/str_cat.h"
#include "rpc/tracker/device_list.h"

namespace assay::rpc::tracker {
namespace {

std::string Seconds(int64_t nanos) {
  return absl::StrCat(static_cast<double>(nanos) / 1e9, " s");
}

std::string RequestText(const Request& request) {
  return absl::StrCat("request `", request.ticket, "` of `", request.user,
                      "` for `", request.key, "`");
}

std::string LeaseText(const Lease& lease) {
  return absl::StrCat("lease ", lease.token, " of `", lease.device, "`");
}

std::string Text(const RequestQueued& event) {
  return absl::StrCat(RequestText(event.request), " is queued");
}

std::string Text(const RequestEnded& event) {
  return absl::StrCat(
      RequestText(event.request),
      event.reason == RequestEnd::kCancelled ? " is cancelled" : " timed out");
}

std::string Text(const RequestMoved& event) {
  return absl::StrCat(RequestText(event.request), " has place ", event.place,
                      ", expected wait ",
                      event.expected_wait_nanos < 0
                          ? "unknown"
                          : Seconds(event.expected_wait_nanos));
}

std::string Text(const LeaseGranted& event) {
  return absl::StrCat(LeaseText(event.lease), " granted to `", event.lease.user,
                      "` for `", event.lease.ticket, "`");
}

std::string Text(const LeaseContinues& event) {
  return absl::StrCat(
      LeaseText(event.lease),
      event.lease.restart_nanos == 0 ? " is renewed" : " continues",
      " after a restart");
}

std::string Text(const LeaseEnded& event) {
  return absl::StrCat(LeaseText(event.lease),
                      " ended: ", LeaseEndText(event.reason));
}

std::string Text(const DeviceChanged& event) {
  const DeviceRecord& record = event.record;
  return absl::StrCat(
      "device `", record.device, "` (", record.key, ") is ",
      StateName(event.state),
      record.quarantine.empty() ? "" : absl::StrCat(": ", record.quarantine));
}

std::string Text(const DeviceRemoved& event) {
  return absl::StrCat("device `", event.device, "` is removed");
}

std::string Text(const UsageChanged& event) {
  const UsageRecord& record = event.record;
  return absl::StrCat("use of `", record.user, "` in minute ", record.minute,
                      " is ", Seconds(record.nanos));
}

std::string Text(const TokensWanted& event) {
  return absl::StrCat("tokens up to ", event.until, " wanted");
}

}  // namespace

std::string EventText(const Event& event) {
  return std::visit([](const auto& e) { return Text(e); }, event);
}

std::string LeaseEndText(LeaseEnd reason) {
  switch (reason) {
    case LeaseEnd::kReleased:
      return "it was released";
    case LeaseEnd::kExpired:
      return "it expired";
    case LeaseEnd::kDeviceLost:
      return "the device was lost";
    case LeaseEnd::kQuarantined:
      return "the device was quarantined";
  }
  return "";
}

}  // namespace assay::rpc::tracker
