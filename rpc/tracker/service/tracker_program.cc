#include "rpc/tracker/service/tracker_program.h"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <memory>

#include "absl/strings/str_cat.h"
#include "rpc/program/connection_table.h"
#include "rpc/program/event_log.h"
#include "rpc/program/file_limit.h"
#include "rpc/program/grpc_log.h"
#include "rpc/program/listener.h"
#include "rpc/program/stop_signal.h"
#include "rpc/program/watchdog.h"
#include "rpc/security/token_file.h"
#include "rpc/tracker/service/tracker_service.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;
// Calls that have not ended by themselves are cancelled after this time.
constexpr int64_t kGraceNanos = kSecondNanos;
constexpr int64_t kCheckTokensNanos = 5 * kSecondNanos;

// Waits for a signal. Meanwhile, reports errors in the file of tokens, and
// stops serving while no token is valid because of them.
int WaitForStop(StopSignal& stop, TokenFile& tokens, Listener& listener,
                EventLog& log) {
  absl::Status last;
  while (true) {
    const int signal = stop.Wait(kCheckTokensNanos);
    if (signal != 0) return signal;
    const TokenFile::Health health = tokens.Check();
    listener.SetServing(health.usable);
    if (health.error == last) continue;
    last = health.error;
    log.Write("tokens_read", {{"error", std::string(last.message())}});
  }
}

}  // namespace

absl::StatusOr<ExitCode> RunTracker(const TrackerProgramOptions& options) {
  StopSignal stop;
  EventLog log(stderr, "tracker");
  const GrpcLog grpc_log(&log);
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<TokenFile> tokens,
                         TokenFile::Open(options.tokens));
  TrackerService::Options service_options;
  service_options.state = options.state;
  service_options.tokens = tokens.get();
  service_options.log = &log;
  ConnectionTable connections(LimitsForFiles(RaiseFileLimit()));
  service_options.connections = &connections;
  service_options.fail = [&log](const absl::Status& status) {
    log.Write("state_failed", {{"error", std::string(status.message())}});
    // Nothing may be answered any more, so the process does not wait for calls.
    _exit(ReportExitCode(absl::InternalError(absl::StrCat(
        "the tracker cannot store its state and stops: ", status.message()))));
  };
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<TrackerService> service,
                         TrackerService::Create(service_options));
  ListenOptions listen;
  listen.address = options.listen;
  listen.transport = options.transport;
  listen.connections = &connections;
  listen.on_unreachable = EndUnreachableProgram(&log);
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Listener> listener,
                         Listener::Start(listen, {service.get()}));
  listener->SetServing(true);
  log.Write("serving",
            {{"address", options.listen}, {"port", listener->port()}});
  if (!options.port_file.empty()) {
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(
        options.port_file, absl::StrCat(listener->port(), "\n")));
  }
  const int signal = WaitForStop(stop, *tokens, *listener, log);
  log.Write("stopping", {{"signal", signal}});
  listener->SetServing(false);
  service->Stop();
  listener->Stop(kGraceNanos);
  log.Write("stopped");
  return ExitCode::kPass;
}

}  // namespace assay::rpc
