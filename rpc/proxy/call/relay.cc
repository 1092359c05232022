#include "rpc/proxy/call/relay.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "rpc/transport/status.h"
#include "runtime/base/check.h"

namespace assay::rpc {
namespace {

constexpr char kCancelled[] = "the client has cancelled the call";
constexpr char kLost[] = "the device was lost during the call";

}  // namespace

Relay::Relay(std::shared_ptr<AnswerStream> carry, Clock* clock)
    : clock_(clock),
      carry_(std::move(carry)),
      carry_owner_(this),
      client_owner_(this),
      requests_([this] { client_->Read(); },
                [this](grpc::ByteBuffer frame) {
                  // The first frame is the start.
                  if (start_sent_) ++untaken_;
                  start_sent_ = true;
                  WriteToCarry(std::move(frame));
                },
                [this] { WriteToCarry(EndFrame()); }),
      responses_([this] { carry_->Read(); },
                 [this](grpc::ByteBuffer message) {
                   client_->Write(std::move(message));
                 },
                 [this] { EndClient(status_); }),
      last_nanos_(clock->NowNanos()) {}

void Relay::Wait() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (carry_ended_) return;
  if (carry_->SetOwner({shared_from_this(), &carry_owner_})) {
    carry_->Read();
  } else {
    carry_ended_ = true;
  }
}

void Relay::Run(std::shared_ptr<AnswerStream> client, grpc::ByteBuffer start) {
  const std::lock_guard<std::mutex> lock(mutex_);
  CHECK(client_ == nullptr);
  client_ = std::move(client);
  last_nanos_ = clock_->NowNanos();
  if (!client_->SetOwner({shared_from_this(), &client_owner_})) {
    client_ended_ = true;
    return EndCarry(absl::CancelledError(kCancelled));
  }
  if (carry_ended_) return EndClient(ToGrpc(absl::UnavailableError(kLost)));
  reader_.Start();
  requests_.OnRead(std::move(start));
}

void Relay::Stop(const absl::Status& for_client,
                 const absl::Status& for_agent) {
  const std::lock_guard<std::mutex> lock(mutex_);
  EndBoth(for_client, for_agent);
}

void Relay::StopIfIdle(int64_t nanos) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool is_over = carry_ended_ && client_ended_;
  if (client_ == nullptr && !is_over) return;
  if (clock_->NowNanos() - last_nanos_ < nanos) return;
  const absl::Status status = absl::DeadlineExceededError(absl::StrCat(
      "no message of the call has passed for ", nanos / 1'000'000'000, " s"));
  EndBoth(status, status);
  carry_->Cancel();
  if (client_ != nullptr) client_->Cancel();
}

void Relay::WriteToCarry(grpc::ByteBuffer frame) {
  if (carry_ended_) return;
  carry_writing_ = true;
  carry_->Write(std::move(frame));
}

void Relay::ContinueRequests() {
  if (!carry_writing_ && untaken_ < kMaxUntaken) requests_.OnWritten();
}

void Relay::EndBoth(const absl::Status& for_client,
                    const absl::Status& for_agent) {
  EndClient(ToGrpc(for_client));
  EndCarry(for_agent);
}

void Relay::BreakOff(const absl::Status& error) {
  EndBoth(
      absl::UnavailableError(absl::StrCat(
          "the device has broken the rules of the proxy: ", error.message())),
      error);
}

void Relay::EndCarry(const absl::Status& status) {
  if (carry_ended_) return;
  carry_ended_ = true;
  carry_->End(ToGrpc(status));
}

void Relay::EndClient(const grpc::Status& status) {
  if (client_ == nullptr || client_ended_) return;
  client_ended_ = true;
  client_->End(status);
}

void Relay::CancelCarry() {
  if (!carry_ended_) carry_->Cancel();
}

void Relay::Carry::OnRead(grpc::ByteBuffer message) {
  Relay& relay = *relay_;
  const std::lock_guard<std::mutex> lock(relay.mutex_);
  if (relay.carry_ended_) return;
  relay.last_nanos_ = relay.clock_->NowNanos();
  absl::StatusOr<ResponseFrame> frame = relay.reader_.Read(message);
  if (!frame.ok()) return relay.BreakOff(frame.status());
  if (frame->has_message()) {
    relay.responses_.OnRead(TakeBytes(frame->mutable_message()));
    return;
  }
  if (frame->has_taken()) {
    if (frame->taken() > relay.untaken_) {
      return relay.BreakOff(
          absl::InvalidArgumentError("more messages are taken than were sent"));
    }
    relay.untaken_ -= frame->taken();
    relay.ContinueRequests();
    relay.carry_->Read();
    return;
  }
  relay.status_ = StatusOf(frame->status());
  relay.responses_.OnEnd();
  // The agent may have left requests unread, for which an end would wait.
  if (relay.carry_writing_) relay.CancelCarry();
  relay.EndCarry(absl::OkStatus());
}

void Relay::Carry::OnReadEnd() { OnCancelled(); }

void Relay::Carry::OnWritten() {
  const std::lock_guard<std::mutex> lock(relay_->mutex_);
  if (relay_->carry_ended_) return;
  relay_->last_nanos_ = relay_->clock_->NowNanos();
  relay_->carry_writing_ = false;
  relay_->ContinueRequests();
}

void Relay::Carry::OnCancelled() {
  const std::lock_guard<std::mutex> lock(relay_->mutex_);
  if (relay_->carry_ended_) return;
  relay_->CancelCarry();
  relay_->EndBoth(absl::UnavailableError(kLost), absl::CancelledError(kLost));
}

void Relay::Client::OnRead(grpc::ByteBuffer message) {
  Relay& relay = *relay_;
  const std::lock_guard<std::mutex> lock(relay.mutex_);
  if (relay.client_ended_ || relay.carry_ended_) return;
  relay.last_nanos_ = relay.clock_->NowNanos();
  const absl::Status valid = CheckMessage(message);
  if (!valid.ok()) {
    relay.CancelCarry();
    return relay.EndBoth(valid, valid);
  }
  relay.requests_.OnRead(RequestMessageFrame(message));
}

void Relay::Client::OnReadEnd() {
  const std::lock_guard<std::mutex> lock(relay_->mutex_);
  if (relay_->client_ended_ || relay_->carry_ended_) return;
  relay_->requests_.OnEnd();
}

void Relay::Client::OnWritten() {
  const std::lock_guard<std::mutex> lock(relay_->mutex_);
  if (relay_->client_ended_) return;
  relay_->last_nanos_ = relay_->clock_->NowNanos();
  relay_->responses_.OnWritten();
}

void Relay::Client::OnCancelled() {
  const std::lock_guard<std::mutex> lock(relay_->mutex_);
  const absl::Status status = absl::CancelledError(kCancelled);
  relay_->CancelCarry();
  relay_->EndBoth(status, status);
}

}  // namespace assay::rpc
