// Outbox: what is to be written to a gRPC stream, which takes one message at a
// time.
//
// Each message has a slot. A message replaces the one that waits in its slot,
// so a client that does not read its stream costs no more memory than one that
// does. Messages that wait are written in the order of their slots.
//
//   void Do(Outbox<AcquireAnswer>::Step step) {  // of a server reactor
//     if (step == Step::kWrite) StartWrite(outbox_.message());
//     if (step == Step::kWriteLast) {
//       StartWriteAndFinish(outbox_.message(), {}, outbox_.status());
//     }
//     if (step == Step::kFinish) Finish(outbox_.status());
//   }
//   Do(outbox_.Put(0, answer));
//   void OnWriteDone(bool) override { Do(outbox_.Written()); }
//
// Each method returns what the caller must do next; of all callers, only one
// at a time is told to do something. No method does I/O. Thread-safe.
#ifndef ASSAY_RPC_TRACKER_SERVICE_OUTBOX_H_
#define ASSAY_RPC_TRACKER_SERVICE_OUTBOX_H_

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>

#include "grpcpp/support/status.h"

namespace assay::rpc {

enum class OutboxStep { kNothing, kWrite, kWriteLast, kFinish };

template <typename Message, size_t slots>
class Outbox {
 public:
  using Step = OutboxStep;

  // Adds a message. Without effect after Close().
  Step Put(size_t slot, Message message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!closed_) waiting_[slot] = std::move(message);
    return Next();
  }

  // Ends the stream after the messages that wait. Returns no step, and has no
  // effect, if the outbox is closed already.
  std::optional<Step> Close(grpc::Status status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (closed_) return std::nullopt;
    closed_ = true;
    status_ = std::move(status);
    return Next();
  }

  // As Put() and Close() at once.
  std::optional<Step> PutAndClose(size_t slot, Message message,
                                  grpc::Status status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (closed_) return std::nullopt;
    waiting_[slot] = std::move(message);
    closed_ = true;
    status_ = std::move(status);
    return Next();
  }

  // Ends the stream without the messages that wait. Without effect if it is
  // ended already.
  Step Abort(grpc::Status status) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!finished_) {
      closed_ = true;
      status_ = std::move(status);
      waiting_ = {};
    }
    return Next();
  }

  // To be called when the message of kWrite was written, or could not be
  // written.
  Step Written() {
    const std::lock_guard<std::mutex> lock(mutex_);
    writing_ = false;
    return Next();
  }

  // The message that is being written, and the final status. To be used only by
  // the caller that was told to write or to finish.
  const Message* message() const { return &message_; }
  const grpc::Status& status() const { return status_; }

 private:
  Step Next() {
    if (writing_ || finished_) return Step::kNothing;
    size_t left = 0;
    for (const auto& message : waiting_) left += message.has_value() ? 1 : 0;
    if (left == 0) {
      finished_ = closed_;
      return closed_ ? Step::kFinish : Step::kNothing;
    }
    for (auto& message : waiting_) {
      if (!message) continue;
      message_ = *std::move(message);
      message.reset();
      break;
    }
    if (closed_ && left == 1) {
      finished_ = true;
      return Step::kWriteLast;
    }
    writing_ = true;
    return Step::kWrite;
  }

  std::mutex mutex_;
  std::array<std::optional<Message>, slots> waiting_;
  Message message_;
  grpc::Status status_;
  bool writing_ = false;
  bool closed_ = false;
  bool finished_ = false;  // no step comes any more
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_OUTBOX_H_
