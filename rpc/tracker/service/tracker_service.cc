#include "rpc/tracker/service/tracker_service.h"

#include <unistd.h>

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "rpc/security/signature.h"
#include "rpc/tracker/service/message_checks.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr char kDatabase[] = "state.db";
constexpr char kLeaseKey[] = "lease.key";
constexpr size_t kTicketDigits = 32;

// Returns the key in the file, or a new one, which replaces it.
absl::StatusOr<SigningKey> LeaseKey(const std::string& path, bool make_new) {
  if (!make_new) return SigningKey::Read(path);
  ASSAY_ASSIGN_OR_RETURN(const SigningKey key, SigningKey::Generate());
  unlink(path.c_str());
  ASSAY_RETURN_IF_ERROR(key.Write(path));
  return key;
}

absl::Status CheckDeadline(const grpc::CallbackServerContext& context) {
  if (context.deadline() != std::chrono::system_clock::time_point::max()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("the call has no deadline");
}

// A call that has one answer. It deletes itself.
class ShortReactor : public grpc::ServerUnaryReactor {
 public:
  void Hold(CallLimits::Slot slot) { slot_ = std::move(slot); }

 private:
  void OnDone() override { delete this; }

  CallLimits::Slot slot_;
};

// A stream that was refused. It deletes itself.
template <typename Base>
class RefusedStream : public Base {
 public:
  explicit RefusedStream(const absl::Status& status) {
    this->Finish(ToGrpc(status));
  }

 private:
  void OnDone() override { delete this; }
};

}  // namespace

absl::StatusOr<std::unique_ptr<TrackerService>> TrackerService::Create(
    const Options& options) {
  ASSAY_RETURN_IF_ERROR(MakeDirs(options.state));
  ASSAY_ASSIGN_OR_RETURN(
      tracker::StateStore store,
      tracker::StateStore::Open(JoinPath(options.state, kDatabase)));
  ASSAY_ASSIGN_OR_RETURN(const tracker::BookState state, store.Load());
  ASSAY_ASSIGN_OR_RETURN(SigningKey key,
                         LeaseKey(JoinPath(options.state, kLeaseKey),
                                  /*make_new=*/state.reserved_tokens == 0));
  ASSAY_ASSIGN_OR_RETURN(std::string public_key, key.PublicPem());
  const int64_t now = MonotonicNanos();
  ASSAY_ASSIGN_OR_RETURN(
      tracker::LeaseBook book,
      tracker::LeaseBook::Restore(options.lease, state, now));
  auto service = std::unique_ptr<TrackerService>(
      new TrackerService(options, std::move(store)));
  service->dispatcher_ = std::make_unique<Dispatcher>(
      std::move(key), std::move(public_key), options.lease.lease_nanos, state,
      now, options.log);
  TrackerService* const self = service.get();
  TrackerLoop::Options loop;
  loop.store = [self](const TrackerLoop::Events& events) {
    return self->store_.Apply(events);
  };
  loop.handle = [self](const TrackerLoop::Events& events,
                       tracker::LeaseBook& changed, int64_t time) {
    return self->dispatcher_->Handle(events, changed, time);
  };
  loop.disk_full = [log = options.log](const absl::Status& status) {
    log->Write(status.ok() ? "disk_has_space" : "disk_full",
               {{"error", std::string(status.message())}});
  };
  loop.fail = options.fail;
  service->loop_ =
      std::make_unique<TrackerLoop>(std::move(book), std::move(loop));
  options.log->Write("state_restored", {{"devices", state.devices.size()},
                                        {"leases", state.leases.size()},
                                        {"requests", state.requests.size()}});
  return service;
}

TrackerService::TrackerService(const Options& options,
                               tracker::StateStore store)
    : options_(options),
      store_(std::move(store)),
      registrations_("Register", options.max_registrations),
      waits_("Acquire", options.max_waits),
      short_calls_("other methods", options.max_short_calls) {}

TrackerService::~TrackerService() = default;

void TrackerService::Stop() {
  stopping_ = true;
  loop_
      ->PostAlways([this](tracker::LeaseBook&, int64_t) -> TrackerLoop::Answer {
        return [this] {
          dispatcher_->CloseAll(
              absl::UnavailableError("the tracker is stopping"));
        };
      })
      .IgnoreError();
}

absl::StatusOr<Identity> TrackerService::Admit(
    grpc::CallbackServerContext* context, std::initializer_list<Role> roles) {
  if (stopping_) return absl::UnavailableError("the tracker is stopping");
  absl::StatusOr<Identity> caller =
      Authorize(context->client_metadata(), roles, *options_.tokens);
  if (caller.ok() && options_.connections != nullptr) {
    options_.connections->Know(context->peer());
  }
  return caller;
}

absl::StatusOr<RegisterCall*> TrackerService::StartRegister(
    grpc::CallbackServerContext* context) {
  ASSAY_ASSIGN_OR_RETURN(const Identity caller,
                         Admit(context, {Role::kDevice}));
  ASSAY_ASSIGN_OR_RETURN(CallLimits::Slot slot,
                         registrations_.Take(caller.name));
  return RegisterCall::Start(
      {dispatcher_.get(), loop_.get()}, std::move(slot), caller.name,
      [this, context, name = caller.name]() -> absl::Status {
        ASSAY_ASSIGN_OR_RETURN(const Identity now,
                               Admit(context, {Role::kDevice}));
        if (now.name == name) return absl::OkStatus();
        return absl::UnauthenticatedError("the token has another owner now");
      });
}

grpc::ServerBidiReactor<FromDevice, ToDevice>* TrackerService::Register(
    grpc::CallbackServerContext* context) {
  const absl::StatusOr<RegisterCall*> call = StartRegister(context);
  if (call.ok()) return *call;
  return new RefusedStream<grpc::ServerBidiReactor<FromDevice, ToDevice>>(
      call.status());
}

absl::StatusOr<AcquireCall*> TrackerService::StartAcquire(
    grpc::CallbackServerContext* context, const AcquireRequest& request) {
  ASSAY_ASSIGN_OR_RETURN(const Identity caller, Admit(context, {Role::kUser}));
  ASSAY_RETURN_IF_ERROR(CheckDeadline(*context));
  ASSAY_RETURN_IF_ERROR(CheckAcquire(request));
  if (request.priority() > kMaxPriorityOfUsers && caller.role != Role::kAdmin) {
    return absl::PermissionDeniedError(absl::StrCat(
        "the priority ", request.priority(), " is for administrators; users ",
        "may use up to ", kMaxPriorityOfUsers));
  }
  AcquireRequest named = request;
  if (named.ticket().empty()) {
    ASSAY_ASSIGN_OR_RETURN(const std::string random, NewToken());
    named.set_ticket(random.substr(0, kTicketDigits));
  }
  ASSAY_ASSIGN_OR_RETURN(CallLimits::Slot slot, waits_.Take(caller.name));
  // The call may be over when a lease is granted, so its context is not used.
  ASSAY_ASSIGN_OR_RETURN(const std::string token,
                         TokenOf(context->client_metadata()));
  return AcquireCall::Start(
      {dispatcher_.get(), loop_.get()}, std::move(slot), caller.name, named,
      [tokens = options_.tokens, token, name = caller.name] {
        return AuthorizeAgain(token, name, {Role::kUser}, *tokens);
      });
}

grpc::ServerWriteReactor<AcquireAnswer>* TrackerService::Acquire(
    grpc::CallbackServerContext* context, const AcquireRequest* request) {
  const absl::StatusOr<AcquireCall*> call = StartAcquire(context, *request);
  if (call.ok()) return *call;
  return new RefusedStream<grpc::ServerWriteReactor<AcquireAnswer>>(
      call.status());
}

grpc::ServerUnaryReactor* TrackerService::Withdraw(
    grpc::CallbackServerContext* context, const WithdrawRequest* request,
    WithdrawAnswer* /*answer*/) {
  return ShortCall(context, Role::kUser, CheckWithdraw(*request),
                   [ticket = request->ticket()](
                       tracker::LeaseBook& book, const std::string& user,
                       int64_t now) { return book.Cancel(user, ticket, now); });
}

grpc::ServerUnaryReactor* TrackerService::Renew(
    grpc::CallbackServerContext* context, const LeaseName* request,
    Lease* answer) {
  return ShortCall(
      context, Role::kUser, CheckLeaseName(*request),
      [this, token = request->token(), answer](
          tracker::LeaseBook& book, const std::string& user, int64_t now) {
        absl::StatusOr<Lease> lease =
            dispatcher_->Renew(book, user, token, now);
        if (lease.ok()) *answer = *std::move(lease);
        return lease.status();
      });
}

grpc::ServerUnaryReactor* TrackerService::Release(
    grpc::CallbackServerContext* context, const LeaseName* request,
    ReleaseAnswer* /*answer*/) {
  return ShortCall(context, Role::kUser, CheckLeaseName(*request),
                   [token = request->token()](
                       tracker::LeaseBook& book, const std::string& user,
                       int64_t now) { return book.Release(user, token, now); });
}

grpc::ServerUnaryReactor* TrackerService::List(
    grpc::CallbackServerContext* context, const ListRequest* /*request*/,
    ListAnswer* answer) {
  return ShortCall(context, Role::kUser, absl::OkStatus(),
                   [this, answer](tracker::LeaseBook& book,
                                  const std::string& /*user*/, int64_t now) {
                     *answer = *dispatcher_->List(book, now);
                     return absl::OkStatus();
                   });
}

grpc::ServerUnaryReactor* TrackerService::Quarantine(
    grpc::CallbackServerContext* context, const QuarantineRequest* request,
    QuarantineAnswer* /*answer*/) {
  return ShortCall(
      context, Role::kAdmin, CheckQuarantine(*request),
      [this, request = *request](tracker::LeaseBook& book,
                                 const std::string& user, int64_t now) {
        options_.log->Write("quarantine_ordered",
                            {{"device", request.device()},
                             {"by", user},
                             {"reason", request.reason()}});
        return dispatcher_->Quarantine(book, request, now);
      });
}

grpc::ServerUnaryReactor* TrackerService::ShortCall(
    grpc::CallbackServerContext* context, Role role,
    const absl::Status& checked, ShortCommand command) {
  auto* const call = new ShortReactor;
  const absl::Status status = [&]() -> absl::Status {
    ASSAY_ASSIGN_OR_RETURN(const Identity caller, Admit(context, {role}));
    ASSAY_RETURN_IF_ERROR(CheckDeadline(*context));
    ASSAY_RETURN_IF_ERROR(checked);
    ASSAY_ASSIGN_OR_RETURN(CallLimits::Slot slot,
                           short_calls_.Take(caller.name));
    call->Hold(std::move(slot));
    return loop_->Post([call, user = caller.name, command = std::move(command)](
                           tracker::LeaseBook& book, int64_t now) {
      const absl::Status result = command(book, user, now);
      return [call, result] { call->Finish(ToGrpc(result)); };
    });
  }();
  if (!status.ok()) call->Finish(ToGrpc(status));
  return call;
}

}  // namespace assay::rpc
