#include "rpc/proxy/client_stream.h"

#include <utility>

#include "runtime/base/check.h"

namespace assay::rpc {

ClientStream::ClientStream(const std::shared_ptr<grpc::Channel>& channel,
                           const std::string& method,
                           std::unique_ptr<grpc::ClientContext> context,
                           grpc::CompletionQueue* queue, CallOwner* owner)
    : owner_(owner), context_(std::move(context)) {
  call_ = grpc::GenericStub(channel).PrepareCall(context_.get(), method, queue);
  ++pending_;
  call_->StartCall(&start_);
}

ClientStream::~ClientStream() { CHECK(done_); }

void ClientStream::Complete(void* tag, bool ok) {
  const Tag& completed = *static_cast<Tag*>(tag);
  completed.stream->OnComplete(completed.operation, ok);
}

void ClientStream::Read() {
  if (!started_) {
    want_read_ = true;
  } else if (!over_) {
    ++pending_;
    call_->Read(&message_, &read_);
  }
}

void ClientStream::Write(grpc::ByteBuffer message) {
  if (!started_) {
    want_write_ = std::move(message);
  } else if (!over_) {
    ++pending_;
    call_->Write(message, &write_);
  }
}

void ClientStream::EndWrites() {
  if (!started_) {
    want_end_writes_ = true;
  } else if (!over_) {
    ++pending_;
    call_->WritesDone(&end_writes_);
  }
}

void ClientStream::Cancel() { context_->TryCancel(); }

void ClientStream::OnStarted(bool ok) {
  started_ = true;
  if (!ok) {
    over_ = true;
    return StartFinish();
  }
  // Read() and Finish() would both ask for the metadata.
  ++pending_;
  call_->ReadInitialMetadata(&metadata_);
  StartFinish();
  if (want_read_) Read();
  if (want_write_.has_value()) Write(*std::move(want_write_));
  want_write_.reset();
  // A write was not in flight when EndWrites() was called.
  if (want_end_writes_) EndWrites();
}

void ClientStream::StartFinish() {
  ++pending_;
  call_->Finish(&status_, &finish_);
}

void ClientStream::OnComplete(Operation operation, bool ok) {
  --pending_;
  switch (operation) {
    case Operation::kStart:
      OnStarted(ok);
      break;
    case Operation::kRead:
      if (ok) {
        grpc::ByteBuffer message;
        message.Swap(&message_);
        owner_->OnRead(std::move(message));
      }
      break;
    case Operation::kWrite:
      if (ok) owner_->OnWritten();
      break;
    case Operation::kFinish:
      over_ = true;
      break;
    case Operation::kMetadata:
    case Operation::kEndWrites:
      break;
  }
  if (over_ && pending_ == 0) {
    done_ = true;
    owner_->OnDone(status_);
  }
}

}  // namespace assay::rpc
