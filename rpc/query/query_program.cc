#include "rpc/query/query_program.h"

#include <stdio.h>
#include <unistd.h>

#include <chrono>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "grpcpp/client_context.h"
#include "rpc/client/peer_status.h"
#include "rpc/program/stop_signal.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/query/render_list.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

// Sequences of ANSI terminals.
constexpr char kHome[] = "\x1b[H";
constexpr char kClearRestOfLine[] = "\x1b[K\n";
constexpr char kClearRestOfScreen[] = "\x1b[J";

class Query {
 public:
  Query(const QueryOptions& options, std::unique_ptr<Tracker::Stub> stub)
      : options_(options), stub_(std::move(stub)) {}

  absl::StatusOr<std::string> List() {
    grpc::ClientContext context;
    Prepare(&context);
    ListAnswer list;
    ASSAY_RETURN_IF_ERROR(
        Describe(stub_->List(&context, ListRequest(), &list)));
    return options_.json ? ListJson(list) : ListText(list);
  }

  // Releases the device if `reason` is empty.
  absl::Status Quarantine(const std::string& device,
                          const std::string& reason) {
    grpc::ClientContext context;
    Prepare(&context);
    QuarantineRequest request;
    request.set_device(device);
    request.set_reason(reason);
    QuarantineAnswer answer;
    return Describe(stub_->Quarantine(&context, request, &answer));
  }

 private:
  void Prepare(grpc::ClientContext* context) {
    PrepareContext(options_.client.tracker,
                   std::chrono::nanoseconds(options_.timeout_nanos), context);
    // The token may have been replaced since the last call.
    const absl::StatusOr<std::string> token =
        ReadToken(options_.client.token_file);
    AddToken(token.value_or(options_.client.token), context);
  }

  // Returns an error that names the tracker.
  absl::Status Describe(const grpc::Status& status) const {
    const absl::Status error = PeerStatus(status);
    const std::string tracker =
        absl::StrCat("the tracker `", options_.client.tracker.endpoint, "`");
    switch (error.code()) {
      case absl::StatusCode::kOk:
        return error;
      case absl::StatusCode::kUnavailable:
        return absl::UnavailableError(
            absl::StrCat(tracker, " cannot be reached: ", error.message()));
      case absl::StatusCode::kDeadlineExceeded:
        return absl::DeadlineExceededError(
            absl::StrFormat("%s has not answered within %.0f s", tracker,
                            static_cast<double>(options_.timeout_nanos) / 1e9));
      case absl::StatusCode::kUnauthenticated:
        return absl::PermissionDeniedError(
            absl::StrCat(tracker, " does not accept the token of `",
                         options_.client.token_file, "`: ", error.message()));
      default:
        return error;
    }
  }

  const QueryOptions& options_;
  const std::unique_ptr<Tracker::Stub> stub_;
};

absl::Status Print(const std::string& text) {
  const bool ok = fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!ok || fflush(stdout) != 0) {
    return absl::DataLossError("cannot write to standard output");
  }
  return absl::OkStatus();
}

// Replaces the contents of the screen without flicker.
std::string Screen(const std::string& text) {
  return absl::StrCat(kHome,
                      absl::StrReplaceAll(text, {{"\n", kClearRestOfLine}}),
                      kClearRestOfScreen);
}

bool IsUnreachable(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
}

absl::Status Watch(const QueryOptions& options, Query& query,
                   StopSignal& stop) {
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  bool printed = false;
  do {
    const absl::StatusOr<std::string> list = query.List();
    if (!list.ok() && !(printed && IsUnreachable(list.status()))) {
      return list.status();
    }
    if (list.ok()) {
      ASSAY_RETURN_IF_ERROR(Print(terminal ? Screen(*list)
                                  : options.json || !printed
                                      ? *list
                                      : absl::StrCat("\n", *list)));
      printed = true;
    } else {
      // On a terminal, the last list stays above the message until the next.
      absl::FPrintF(stderr, "%s; trying again\n", list.status().message());
    }
  } while (stop.Wait(options.watch_nanos) == 0);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ExitCode> RunQuery(const QueryOptions& options) {
  // Before gRPC starts threads. Without watching, the signals end the program.
  std::unique_ptr<StopSignal> stop;
  if (options.watch_nanos > 0) stop = std::make_unique<StopSignal>();
  ASSAY_ASSIGN_OR_RETURN(
      const auto channel,
      OpenChannel(options.client.transport, options.client.tracker));
  Query query(options, Tracker::NewStub(channel));
  if (!options.quarantine.empty()) {
    ASSAY_RETURN_IF_ERROR(query.Quarantine(options.quarantine, options.reason));
    ASSAY_RETURN_IF_ERROR(
        Print(absl::StrCat("`", options.quarantine, "` is in quarantine\n")));
    return ExitCode::kPass;
  }
  if (!options.release.empty()) {
    ASSAY_RETURN_IF_ERROR(query.Quarantine(options.release, ""));
    ASSAY_RETURN_IF_ERROR(
        Print(absl::StrCat("`", options.release, "` is released\n")));
    return ExitCode::kPass;
  }
  if (stop != nullptr) {
    ASSAY_RETURN_IF_ERROR(Watch(options, query, *stop));
    return ExitCode::kPass;
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string list, query.List());
  ASSAY_RETURN_IF_ERROR(Print(list));
  return ExitCode::kPass;
}

}  // namespace assay::rpc
