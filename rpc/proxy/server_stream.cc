#include "rpc/proxy/server_stream.h"

#include <utility>

namespace assay::rpc {

std::shared_ptr<ServerStream> ServerStream::Create(
    grpc::CallbackServerContext* context, std::function<void()> gone) {
  auto stream =
      std::shared_ptr<ServerStream>(new ServerStream(context, std::move(gone)));
  const std::lock_guard<std::mutex> lock(stream->mutex_);
  stream->self_ = stream;
  return stream;
}

ServerStream::ServerStream(grpc::CallbackServerContext* context,
                           std::function<void()> gone)
    : context_(context), gone_(std::move(gone)) {}

bool ServerStream::SetOwner(std::shared_ptr<AnswerOwner> owner) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (ended_) return false;
  owner_ = std::move(owner);
  return true;
}

void ServerStream::Read() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!ended_) StartRead(&read_);
}

void ServerStream::Write(grpc::ByteBuffer message) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (ended_) return;
  writing_ = true;
  write_ = std::move(message);
  StartWrite(&write_);
}

void ServerStream::End(const grpc::Status& status) {
  const std::lock_guard<std::mutex> lock(mutex_);
  EndLocked(status);
}

void ServerStream::EndLocked(const grpc::Status& status) {
  if (ended_) return;
  ended_ = true;
  status_ = status;
  // gRPC does not permit Finish() before the write has ended.
  if (!writing_) Finish(status_);
}

void ServerStream::Cancel() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!done_) context_->TryCancel();
}

void ServerStream::OnReadDone(bool ok) {
  std::shared_ptr<AnswerOwner> owner;
  grpc::ByteBuffer message;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (ended_) return;
    // A call that was cancelled must not look like one whose caller has sent
    // all messages. OnCancel() follows.
    if (!ok && context_->IsCancelled()) return;
    owner = owner_;
    message.Swap(&read_);
  }
  if (owner == nullptr) return;
  if (ok) {
    owner->OnRead(std::move(message));
  } else {
    owner->OnReadEnd();
  }
}

void ServerStream::OnWriteDone(bool ok) {
  std::shared_ptr<AnswerOwner> owner;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    writing_ = false;
    write_.Clear();
    if (ended_) return Finish(status_);
    if (ok) owner = owner_;
  }
  if (owner != nullptr) owner->OnWritten();
}

void ServerStream::OnCancel() {
  std::shared_ptr<AnswerOwner> owner;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (ended_) return;
    owner = owner_;
    if (owner == nullptr) EndLocked(grpc::Status::CANCELLED);
  }
  if (owner != nullptr) owner->OnCancelled();
}

void ServerStream::OnDone() {
  std::shared_ptr<AnswerOwner> owner;
  std::shared_ptr<ServerStream> self;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
    owner = std::move(owner_);
    self = std::move(self_);
  }
  if (gone_) gone_();
  // Both are released here, without a lock.
}

}  // namespace assay::rpc
