#include "rpc/tracker/service/acquire_call.h"

#include <utility>

#include "grpcpp/support/status.h"
#include "rpc/transport/status.h"

namespace assay::rpc {

AcquireCall* AcquireCall::Start(const ServiceParts& parts,
                                CallLimits::Slot slot, const std::string& user,
                                const AcquireRequest& request,
                                std::function<absl::Status()> authorize) {
  auto call = std::shared_ptr<AcquireCall>(new AcquireCall(
      parts, std::move(slot), user, request, std::move(authorize)));
  call->self_ = call;
  call->posted_ = true;
  const absl::Status posted = parts.loop->Post(
      [call](tracker::LeaseBook& book, int64_t now) -> TrackerLoop::Answer {
        const absl::Status status = call->parts_.dispatcher->Acquire(
            book, call->request_, call->user_, call, now);
        if (status.ok()) return nullptr;
        return [call, status] { call->Close(status); };
      });
  if (!posted.ok()) {
    call->posted_ = false;
    call->Close(posted);
  }
  return call.get();
}

AcquireCall::AcquireCall(const ServiceParts& parts, CallLimits::Slot slot,
                         const std::string& user, const AcquireRequest& request,
                         std::function<absl::Status()> authorize)
    : parts_(parts),
      slot_(std::move(slot)),
      user_(user),
      request_(request),
      authorize_(std::move(authorize)) {}

void AcquireCall::SendPlace(const Place& place) {
  AcquireAnswer answer;
  *answer.mutable_place() = place;
  Do(outbox_.Put(0, std::move(answer)));
}

bool AcquireCall::SendLease(const Lease& lease, int64_t token) {
  if (authorize_ != nullptr) {
    const absl::Status status = authorize_();
    if (!status.ok()) {
      Close(status);
      return false;
    }
  }
  AcquireAnswer answer;
  *answer.mutable_lease() = lease;
  // The call can be done before PutAndClose() returns.
  token_ = token;
  const auto step = outbox_.PutAndClose(1, std::move(answer), grpc::Status::OK);
  if (step) Do(*step);
  return step.has_value();
}

void AcquireCall::Close(const absl::Status& status) {
  const auto step = outbox_.Close(ToGrpc(status));
  if (step) Do(*step);
}

void AcquireCall::Do(Step step) {
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

void AcquireCall::OnWriteDone(bool /*ok*/) { Do(outbox_.Written()); }

void AcquireCall::OnCancel() {
  cancelled_ = true;
  Do(outbox_.Abort(grpc::Status::CANCELLED));
}

void AcquireCall::OnDone() {
  const std::shared_ptr<AcquireCall> self = std::move(self_);
  slot_ = CallLimits::Slot();
  const bool left = token_ == 0;
  if (!posted_ || (!left && !cancelled_)) return;
  // After the end of the loop, nobody needs to know.
  parts_.loop
      ->PostAlways([self, left](tracker::LeaseBook& book,
                                int64_t now) -> TrackerLoop::Answer {
        if (left) {
          self->parts_.dispatcher->Leave(book, self->request_.ticket(),
                                         self.get(), now);
        } else {
          book.Release(self->user_, self->token_, now).IgnoreError();
        }
        return nullptr;
      })
      .IgnoreError();
}

}  // namespace assay::rpc
