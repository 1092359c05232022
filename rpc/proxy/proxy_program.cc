#include "rpc/proxy/proxy_program.h"

#include <cstdint>
#include <cstdio>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "rpc/program/connection_table.h"
#include "rpc/program/event_log.h"
#include "rpc/program/file_limit.h"
#include "rpc/program/grpc_log.h"
#include "rpc/program/listener.h"
#include "rpc/program/stop_signal.h"
#include "rpc/program/watchdog.h"
#include "rpc/proxy/device_table.h"
#include "rpc/proxy/proxy_service.h"
#include "rpc/security/token_file.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;
constexpr int64_t kCallGraceNanos = 2 * kSecondNanos;
// Streams that have been ended are closed after this time.
constexpr int64_t kStreamGraceNanos = kSecondNanos;
constexpr int64_t kLogNanos = 5 * kSecondNanos;

// Waits for a signal. Meanwhile, writes changes of the numbers of devices and
// streams, and errors in the file of tokens, and stops serving while no token
// is valid because of them. Devices that were revoked are detached.
int WaitForStop(StopSignal& stop, TokenFile& tokens, ProxyService& service,
                Listener& listener, EventLog& log) {
  const Switchboard& board = service.board();
  absl::Status last_error;
  int last_devices = 0;
  while (true) {
    const int signal = stop.Wait(kLogNanos);
    if (signal != 0) return signal;
    const TokenFile::Health health = tokens.Check();
    listener.SetServing(health.usable);
    service.CheckDevices();
    if (health.error != last_error) {
      last_error = health.error;
      log.Write("tokens_read", {{"error", last_error.message()}});
    }
    if (board.devices() != last_devices) {
      last_devices = board.devices();
      log.Write("load", {{"devices", last_devices},
                         {"streams", board.streams()},
                         {"calls", board.calls()}});
    }
  }
}

}  // namespace

absl::StatusOr<ExitCode> RunProxy(const ProxyProgramOptions& options) {
  StopSignal stop;
  EventLog log(stderr, "proxy");
  const GrpcLog grpc_log(&log);
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<TokenFile> tokens,
                         TokenFile::Open(options.tokens));
  ConnectionTable connections(LimitsForFiles(RaiseFileLimit()));
  ProxyService service(ProxyLimits(), tokens.get(), &log, &connections);
  ListenOptions listen;
  listen.address = options.listen;
  listen.transport = options.transport;
  listen.connections = &connections;
  listen.on_unreachable = EndUnreachableProgram(&log);
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Listener> listener,
                         Listener::Start(listen, {service.agent_service()},
                                         service.device_service()));
  listener->SetServing(true);
  log.Write("serving",
            {{"address", options.listen}, {"port", listener->port()}});
  if (!options.port_file.empty()) {
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(
        options.port_file, absl::StrCat(listener->port(), "\n")));
  }
  const int signal = WaitForStop(stop, *tokens, service, *listener, log);
  log.Write("stopping",
            {{"signal", signal}, {"calls", service.board().calls()}});
  listener->SetServing(false);
  service.Stop(kCallGraceNanos);
  listener->Stop(kStreamGraceNanos);
  log.Write("stopped");
  return ExitCode::kPass;
}

}  // namespace assay::rpc
