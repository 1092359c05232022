#include "rpc/server/service/block_call.h"

#include <chrono>
#include <utility>

#include "rpc/server/service/call.h"
#include "rpc/transport/status.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {

absl::Status BlockCall::Send(const RunBlockAnswer& answer,
                             const runtime::Interrupt& interrupt) {
  // How often the interrupt is looked at while a client does not read.
  constexpr auto kPoll = std::chrono::milliseconds(50);
  message_ = SerializeAnswer(answer);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    writing_ = true;
  }
  StartWrite(&message_);
  bool cancelled = false;
  std::unique_lock<std::mutex> lock(mutex_);
  while (writing_) {
    if (!cancelled && interrupt.raised()) {
      cancelled = true;
      // OnWriteDone() may be called in this thread.
      lock.unlock();
      context_->TryCancel();
      lock.lock();
    }
    written_.wait_for(lock, kPoll, [this] { return !writing_; });
  }
  return ok_ ? absl::OkStatus()
             : absl::CancelledError("the client has cancelled the call");
}

void BlockCall::End(const absl::Status& status) { Finish(ToGrpc(status)); }

void BlockCall::OnWriteDone(bool ok) {
  const std::lock_guard<std::mutex> lock(mutex_);
  writing_ = false;
  ok_ = ok;
  // With the lock: the object may be gone as soon as Send() returns.
  written_.notify_one();
}

BlockStream::BlockStream(BlockCall* call, const runtime::Interrupt* interrupt,
                         const std::function<DeviceState()>& read_state)
    : call_(call),
      interrupt_(*interrupt),
      read_state_(read_state),
      before_(read_state()) {}

void BlockStream::Measured() { after_ = read_state_(); }

void BlockStream::TakePeakMemory(int64_t bytes) {
  after_.set_worker_peak_bytes(bytes);
}

absl::Status BlockStream::TakeSample(const runtime::Sample& sample,
                                     int64_t outputs_size) {
  ASSAY_RETURN_IF_ERROR(SendFirst());
  RunBlockAnswer answer;
  RunBlockAnswer::Sample* message = answer.mutable_sample();
  message->set_nanos(sample.nanos);
  message->set_number(sample.number);
  for (const int64_t nanos : sample.call_nanos) message->add_call_nanos(nanos);
  message->set_outputs_size(outputs_size);
  return call_->Send(answer, interrupt_);
}

absl::Status BlockStream::TakeOutputs(std::string bytes) {
  RunBlockAnswer answer;
  answer.set_outputs(std::move(bytes));
  return call_->Send(answer, interrupt_);
}

absl::Status BlockStream::Finish() {
  ASSAY_RETURN_IF_ERROR(SendFirst());
  return SendState(after_);
}

absl::Status BlockStream::SendFirst() {
  if (sent_first_) return absl::OkStatus();
  sent_first_ = true;
  return SendState(before_);
}

absl::Status BlockStream::SendState(const DeviceState& state) {
  RunBlockAnswer answer;
  *answer.mutable_state() = state;
  return call_->Send(answer, interrupt_);
}

}  // namespace assay::rpc
