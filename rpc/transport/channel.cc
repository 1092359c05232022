#include "rpc/transport/channel.h"

#include <stdlib.h>

#include <utility>

#include "absl/base/call_once.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "grpc/grpc.h"
#include "grpc/support/time.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/support/channel_arguments.h"
#include "rpc/names/metadata.h"
#include "rpc/names/names.h"
#include "rpc/transport/compression.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int kMaxHost = 255;
constexpr int kMaxPort = 65535;

bool IsHost(absl::string_view host) {
  if (host.empty() || host.size() > kMaxHost) return false;
  const bool is_ipv6 = host.front() == '[';
  if (is_ipv6 != (host.back() == ']')) return false;
  if (is_ipv6) host = host.substr(1, host.size() - 2);
  for (const char c : host) {
    const bool ok =
        is_ipv6 ? absl::ascii_isxdigit(c) || c == ':' || c == '.'
                : absl::ascii_isalnum(c) || c == '-' || c == '.' || c == '_';
    if (!ok) return false;
  }
  return !host.empty();
}

bool IsPort(absl::string_view text) {
  // SimpleAtoi also accepts blanks and signs.
  for (const char c : text) {
    if (!absl::ascii_isdigit(c)) return false;
  }
  int port = 0;
  return absl::SimpleAtoi(text, &port) && port >= 1 && port <= kMaxPort;
}

}  // namespace

absl::StatusOr<Address> ParseAddress(absl::string_view text) {
  const absl::Status error = absl::InvalidArgumentError(
      absl::StrCat("`", absl::CHexEscape(text.substr(0, 400)),
                   "` is not an address like `HOST:PORT` or "
                   "`HOST:PORT/DEVICE`"));
  Address address;
  absl::string_view endpoint = text;
  const size_t slash = text.find('/');
  if (slash != absl::string_view::npos) {
    endpoint = text.substr(0, slash);
    const absl::string_view device = text.substr(slash + 1);
    if (!IsName(device)) return error;
    address.device = std::string(device);
  }
  const size_t colon = endpoint.rfind(':');
  if (colon == absl::string_view::npos) return error;
  if (!IsPort(endpoint.substr(colon + 1)) ||
      !IsHost(endpoint.substr(0, colon))) {
    return error;
  }
  address.endpoint = std::string(endpoint);
  return address;
}

absl::StatusOr<std::shared_ptr<grpc::Channel>> OpenChannel(
    const Transport& transport, const Address& address) {
  // gRPC polls connections at least once in this interval, whose default of 5
  // seconds can delay the first call.
  static absl::once_flag once;
  absl::call_once(once, [] {
    setenv("GRPC_CLIENT_CHANNEL_BACKUP_POLL_INTERVAL_MS", "100",
           /*overwrite=*/0);
    // Keeps gRPC initialized. Otherwise, the end of its last object can wait
    // up to 10 seconds for a thread that polls.
    grpc_init();
  });
  ASSAY_ASSIGN_OR_RETURN(const std::shared_ptr<grpc::ChannelCredentials> creds,
                         MakeChannelCredentials(transport, address.endpoint));
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  for (const auto& [name, value] : NoCompression()) {
    arguments.SetInt(name, value);
  }
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 10'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 5'000);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  // This is also the limit of one attempt to connect, which takes several round
  // trips and, on a busy machine, some processor time.
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 5'000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2'000);
  // A program talks to the address that its user named, and to no proxy of
  // `http_proxy`.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // The programs never share a connection with other parts of a process.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address.endpoint, creds, arguments);
}

void PrepareContext(const Address& address, std::chrono::nanoseconds timeout,
                    grpc::ClientContext* context) {
  // A time of day would be wrong if the wall clock were set before the call.
  context->set_deadline(
      gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                   gpr_time_from_nanos(timeout.count(), GPR_TIMESPAN)));
  if (!address.device.empty()) {
    context->AddMetadata(kDeviceMetadata, address.device);
  }
}

}  // namespace assay::rpc
