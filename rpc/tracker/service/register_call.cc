#include "rpc/tracker/service/register_call.h"

#include <utility>

#include "grpcpp/support/status.h"
#include "rpc/tracker/service/message_checks.h"
#include "rpc/transport/status.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

constexpr size_t kWelcomeSlot = 0;
constexpr size_t kEndedSlot = 1;

}  // namespace

RegisterCall* RegisterCall::Start(const ServiceParts& parts,
                                  CallLimits::Slot slot,
                                  const std::string& device,
                                  Authorization authorize) {
  auto call = std::shared_ptr<RegisterCall>(
      new RegisterCall(parts, std::move(slot), device, std::move(authorize)));
  call->self_ = call;
  call->StartRead(&call->message_);
  return call.get();
}

RegisterCall::RegisterCall(const ServiceParts& parts, CallLimits::Slot slot,
                           const std::string& device, Authorization authorize)
    : parts_(parts),
      slot_(std::move(slot)),
      device_(device),
      authorize_(std::move(authorize)) {}

void RegisterCall::Send(const ToDevice& message) {
  Do(outbox_.Put(message.has_welcome() ? kWelcomeSlot : kEndedSlot, message));
}

void RegisterCall::Close(const absl::Status& status) {
  closed_ = true;
  const auto step = outbox_.Close(ToGrpc(status));
  if (step) Do(*step);
}

absl::Status RegisterCall::Check() {
  ASSAY_RETURN_IF_ERROR(authorize_());
  return CheckFromDevice(message_, device_, has_hello_);
}

TrackerLoop::Answer RegisterCall::Handle(tracker::LeaseBook& book,
                                         int64_t now) {
  const std::shared_ptr<RegisterCall> self = shared_from_this();
  absl::Status status;
  ToDevice answer;
  if (message_.has_hello()) {
    absl::StatusOr<Welcome> welcome =
        parts_.dispatcher->Register(book, message_.hello(), self, now);
    status = welcome.status();
    if (welcome.ok()) *answer.mutable_welcome() = *std::move(welcome);
    has_hello_ = true;
  } else {
    status =
        parts_.dispatcher->Beat(book, device_, message_.heartbeat(), this, now);
  }
  return [self, status, answer = std::move(answer)] {
    if (!status.ok()) return self->Close(status);
    if (answer.has_welcome()) self->Send(answer);
    // A later stream of the device may have replaced this one.
    if (!self->closed_) self->StartRead(&self->message_);
  };
}

void RegisterCall::Do(Step step) {
  switch (step) {
    case Step::kNothing:
      return;
    case Step::kWrite:
      return StartWrite(outbox_.message());
    case Step::kWriteLast:
      return StartWriteAndFinish(outbox_.message(), grpc::WriteOptions(),
                                 outbox_.status());
    case Step::kFinish:
      return Finish(outbox_.status());
  }
}

void RegisterCall::OnReadDone(bool ok) {
  if (!ok) {
    end_of_messages_ = !closed_;
    return Close(absl::OkStatus());
  }
  absl::Status status = Check();
  if (status.ok()) {
    // Each open call has at most one command.
    status = parts_.loop->PostAlways(
        [self = shared_from_this()](tracker::LeaseBook& book, int64_t now) {
          return self->Handle(book, now);
        });
  }
  if (!status.ok()) Close(status);
}

void RegisterCall::OnWriteDone(bool /*ok*/) { Do(outbox_.Written()); }

// The read that is outstanding fails, which ends the call.
void RegisterCall::OnCancel() { cancelled_ = true; }

void RegisterCall::OnDone() {
  const std::shared_ptr<RegisterCall> self = std::move(self_);
  slot_ = CallLimits::Slot();
  const bool leaves = end_of_messages_ && !cancelled_;
  // After the end of the loop, nobody needs to know.
  parts_.loop
      ->PostAlways([self, leaves](tracker::LeaseBook& book,
                                  int64_t now) -> TrackerLoop::Answer {
        self->parts_.dispatcher->Disconnect(book, self->device_, self.get(),
                                            leaves, now);
        return nullptr;
      })
      .IgnoreError();
}

}  // namespace assay::rpc
