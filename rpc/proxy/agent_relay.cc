#include "rpc/proxy/agent_relay.h"

#include <utility>

#include "rpc/transport/status.h"
#include "runtime/base/check.h"

namespace assay::rpc {

AgentRelay::AgentRelay(Open open)
    : open_(std::move(open)),
      carry_owner_(this),
      local_owner_(this),
      requests_([this] { carry_->Read(); },
                [this](grpc::ByteBuffer message) {
                  if (!local_done_) local_->Write(std::move(message));
                },
                [this] {
                  if (!local_done_) local_->EndWrites();
                }),
      responses_([this] { local_->Read(); },
                 [this](grpc::ByteBuffer frame) {
                   if (!carry_done_) carry_->Write(std::move(frame));
                 },
                 [this] { SendStatus(); }) {}

void AgentRelay::Start(std::unique_ptr<CallStream> carry) {
  CHECK(carry_ == nullptr);
  carry_ = std::move(carry);
  carry_->Read();
}

void AgentRelay::Cancel() {
  if (!carry_done_) carry_->Cancel();
  if (local_ != nullptr && !local_done_) local_->Cancel();
}

void AgentRelay::SendStatus() {
  if (carry_done_) return;
  status_sent_ = true;
  carry_->Write(StatusFrame(local_status_));
}

void AgentRelay::Carry::OnRead(grpc::ByteBuffer message) {
  AgentRelay& relay = *relay_;
  relay.started_ = true;
  absl::StatusOr<RequestFrame> frame = relay.reader_.Read(message);
  if (!frame.ok()) {
    relay.error_ = frame.status();
    return relay.Cancel();
  }
  if (frame->has_start()) {
    relay.local_ = relay.open_(frame->start(), &relay.local_owner_);
    relay.local_->Read();
    relay.carry_->Read();
  } else if (frame->has_message()) {
    relay.requests_.OnRead(TakeBytes(frame->mutable_message()));
  } else {
    relay.requests_.OnEnd();
    // Notices a proxy that breaks the rules.
    relay.carry_->Read();
  }
}

void AgentRelay::Carry::OnWritten() {
  AgentRelay& relay = *relay_;
  if (relay.status_sent_) return relay.carry_->EndWrites();
  relay.responses_.OnWritten();
}

void AgentRelay::Carry::OnDone(const grpc::Status&) {
  relay_->carry_done_ = true;
  relay_->Cancel();
}

void AgentRelay::Local::OnRead(grpc::ByteBuffer message) {
  AgentRelay& relay = *relay_;
  const absl::Status valid = CheckMessage(message);
  if (valid.ok()) {
    relay.responses_.OnRead(ResponseMessageFrame(message));
  } else {
    relay.error_ = valid;
    relay.local_->Cancel();
  }
}

void AgentRelay::Local::OnWritten() { relay_->requests_.OnWritten(); }

void AgentRelay::Local::OnDone(const grpc::Status& status) {
  AgentRelay& relay = *relay_;
  relay.local_done_ = true;
  relay.local_status_ = relay.error_.ok() ? status : ToGrpc(relay.error_);
  relay.responses_.OnEnd();
}

}  // namespace assay::rpc
