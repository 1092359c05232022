#include "rpc/proxy/call/agent_relay.h"

#include <utility>

#include "rpc/transport/status.h"
#include "runtime/base/check.h"

namespace assay::rpc {

AgentRelay::AgentRelay(Open open)
    : open_(std::move(open)), carry_owner_(this), local_owner_(this) {}

void AgentRelay::Start(std::unique_ptr<CallStream> carry) {
  CHECK(carry_ == nullptr);
  carry_ = std::move(carry);
  carry_->Read();
}

void AgentRelay::Cancel() {
  if (!carry_done_) carry_->Cancel();
  if (local_ != nullptr && !local_done_) local_->Cancel();
}

void AgentRelay::WriteToLocal() {
  if (local_writing_ || local_done_) return;
  if (!requests_.empty()) {
    local_writing_ = true;
    local_->Write(requests_.front());
    requests_.pop_front();
  } else if (requests_end_ && !local_end_) {
    local_end_ = true;
    local_->EndWrites();
  }
}

void AgentRelay::WriteToCarry() {
  if (carry_writing_ || carry_done_ || status_sent_) return;
  if (taken_ > 0 && !local_done_) {
    carry_writing_ = true;
    carry_->Write(TakenFrame(std::exchange(taken_, 0)));
  } else if (response_.has_value()) {
    carry_writing_ = true;
    carry_->Write(*std::exchange(response_, std::nullopt));
    if (!local_done_) local_->Read();
  } else if (local_done_) {
    carry_writing_ = true;
    status_sent_ = true;
    carry_->Write(StatusFrame(local_status_));
  }
}

void AgentRelay::Carry::OnRead(grpc::ByteBuffer message) {
  AgentRelay& relay = *relay_;
  relay.started_ = true;
  absl::StatusOr<RequestFrame> frame = relay.reader_.Read(message);
  if (frame.ok() && frame->has_message() &&
      relay.untaken_ + relay.taken_ == kMaxUntaken) {
    frame = absl::InvalidArgumentError("too many messages were not taken yet");
  }
  if (!frame.ok()) {
    relay.error_ = frame.status();
    return relay.Cancel();
  }
  if (frame->has_start()) {
    relay.local_ = relay.open_(frame->start(), &relay.local_owner_);
    relay.local_->Read();
  } else if (frame->has_message()) {
    ++relay.untaken_;
    relay.requests_.push_back(TakeBytes(frame->mutable_message()));
    relay.WriteToLocal();
  } else {
    relay.requests_end_ = true;
    relay.WriteToLocal();
  }
  relay.carry_->Read();
}

void AgentRelay::Carry::OnWritten() {
  AgentRelay& relay = *relay_;
  relay.carry_writing_ = false;
  if (relay.status_sent_) {
    relay.carry_->EndWrites();
  } else {
    relay.WriteToCarry();
  }
}

void AgentRelay::Carry::OnDone(const grpc::Status&) {
  relay_->carry_done_ = true;
  relay_->Cancel();
}

void AgentRelay::Local::OnRead(grpc::ByteBuffer message) {
  AgentRelay& relay = *relay_;
  const absl::Status valid = CheckMessage(message);
  if (!valid.ok()) {
    relay.error_ = valid;
    return relay.local_->Cancel();
  }
  relay.response_ = ResponseMessageFrame(message);
  relay.WriteToCarry();
}

void AgentRelay::Local::OnWritten() {
  AgentRelay& relay = *relay_;
  relay.local_writing_ = false;
  --relay.untaken_;
  ++relay.taken_;
  relay.WriteToLocal();
  relay.WriteToCarry();
}

void AgentRelay::Local::OnDone(const grpc::Status& status) {
  AgentRelay& relay = *relay_;
  relay.local_done_ = true;
  relay.local_status_ = relay.error_.ok() ? status : ToGrpc(relay.error_);
  relay.requests_.clear();
  relay.WriteToCarry();
}

}  // namespace assay::rpc
