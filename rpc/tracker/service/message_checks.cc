#include "rpc/tracker/service/message_checks.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "rpc/facts/facts_message.h"
#include "rpc/names/names.h"
#include "rpc/transport/channel.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

absl::Status CheckTicket(absl::string_view ticket) {
  bool ok = ticket.size() <= kMaxName;
  for (const char c : ticket) {
    ok = ok && (absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-');
  }
  if (ok) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the ticket `", absl::CHexEscape(ticket.substr(0, kMaxName)),
                   "` is not up to ", kMaxName, " letters, digits and `-`"));
}

}  // namespace

absl::Status CheckHello(const Hello& hello) {
  ASSAY_RETURN_IF_ERROR(CheckName("device", hello.device()));
  ASSAY_RETURN_IF_ERROR(CheckName("key", hello.key()));
  ASSAY_RETURN_IF_ERROR(ParseAddress(hello.address()).status());
  const absl::Status facts = CheckFacts(hello.facts());
  if (facts.ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the device `", hello.device(), "`: ", facts.message()));
}

absl::Status CheckFromDevice(const FromDevice& message,
                             absl::string_view device, bool has_hello) {
  if (message.has_heartbeat()) {
    if (!has_hello) {
      return absl::InvalidArgumentError("the first message must be `hello`");
    }
    return CheckHeartbeat(message.heartbeat());
  }
  if (!message.has_hello()) {
    return absl::InvalidArgumentError(
        "a message is neither `hello` nor `heartbeat`");
  }
  if (has_hello) {
    return absl::InvalidArgumentError("a stream has two messages `hello`");
  }
  ASSAY_RETURN_IF_ERROR(CheckHello(message.hello()));
  if (message.hello().device() == device) return absl::OkStatus();
  return absl::PermissionDeniedError(
      absl::StrCat("the token is of the device `", device, "`, not of `",
                   message.hello().device(), "`"));
}

absl::Status CheckHeartbeat(const Heartbeat& heartbeat) {
  const size_t bytes = heartbeat.ByteSizeLong();
  if (bytes > kMaxHeartbeatBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a heartbeat has ", bytes, " bytes, more than ", kMaxHeartbeatBytes));
  }
  return absl::OkStatus();
}

absl::Status CheckAcquire(const AcquireRequest& request) {
  ASSAY_RETURN_IF_ERROR(CheckName("key", request.key()));
  ASSAY_RETURN_IF_ERROR(CheckTicket(request.ticket()));
  if (request.priority() < 0 || request.priority() > kMaxPriority) {
    return absl::InvalidArgumentError(
        absl::StrCat("the priority ", request.priority(), " is not from 0 to ",
                     kMaxPriority));
  }
  const double wait = request.wait_seconds();
  if (!(wait >= 0 && wait <= kMaxWaitSeconds)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the `wait_seconds` ", wait, " are not from 0 to ", kMaxWaitSeconds));
  }
  return absl::OkStatus();
}

absl::Status CheckWithdraw(const WithdrawRequest& request) {
  if (request.ticket().empty()) {
    return absl::InvalidArgumentError("the ticket is empty");
  }
  return CheckTicket(request.ticket());
}

absl::Status CheckLeaseName(const LeaseName& lease) {
  ASSAY_RETURN_IF_ERROR(CheckName("device", lease.device()));
  if (lease.token() > 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the token ", lease.token(), " is not positive"));
}

absl::Status CheckQuarantine(const QuarantineRequest& request) {
  ASSAY_RETURN_IF_ERROR(CheckName("device", request.device()));
  if (!absl::StartsWith(CleanReason(request.reason()), kHealthReason)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the reason must not start with `", kHealthReason,
      "`, because such a quarantine ends when the device is healthy"));
}

std::string CleanReason(absl::string_view text) {
  std::string clean(text.substr(0, kMaxReason));
  if (text.size() > kMaxReason) {
    // The last character may be incomplete: its bytes but the first one are
    // 10xxxxxx.
    while (!clean.empty() && (clean.back() & 0xc0) == 0x80) clean.pop_back();
    if (!clean.empty() && (clean.back() & 0x80) != 0) clean.pop_back();
  }
  for (char& c : clean) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = ' ';
  }
  return clean;
}

}  // namespace assay::rpc
