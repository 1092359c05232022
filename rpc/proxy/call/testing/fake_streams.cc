#include "rpc/proxy/call/testing/fake_streams.h"

#include <utility>

#include "grpcpp/support/slice.h"
#include "runtime/base/check.h"

namespace assay::rpc {

grpc::ByteBuffer ToBuffer(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

std::string ToString(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Valid() || !buffer.Dump(&slices).ok()) return bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

bool FakeAnswerStream::SetOwner(std::shared_ptr<AnswerOwner> owner) {
  if (ended()) return false;
  if (disconnected_) {
    End(grpc::Status::CANCELLED);
    return false;
  }
  owner_ = std::move(owner);
  return true;
}

void FakeAnswerStream::Read() {
  if (ended()) return;
  CHECK(owner_ != nullptr && !reading_ && !read_end_);
  reading_ = true;
}

void FakeAnswerStream::Write(grpc::ByteBuffer message) {
  if (ended()) return;
  CHECK(owner_ != nullptr && !writing_);
  writing_ = true;
  written_.push_back(ToString(message));
}

void FakeAnswerStream::End(const grpc::Status& status) {
  if (!ended()) status_ = status;
}

bool FakeAnswerStream::Deliver(const std::string& message) {
  return Deliver(ToBuffer(message));
}

bool FakeAnswerStream::Deliver(const grpc::ByteBuffer& message) {
  if (!reading_ || ended() || disconnected_) return false;
  reading_ = false;
  owner_->OnRead(message);
  return true;
}

bool FakeAnswerStream::DeliverEnd() {
  if (!reading_ || ended() || disconnected_) return false;
  reading_ = false;
  read_end_ = true;
  owner_->OnReadEnd();
  return true;
}

bool FakeAnswerStream::FinishWrite() {
  if (!writing_ || disconnected_) return false;
  writing_ = false;
  if (!ended()) owner_->OnWritten();
  return true;
}

bool FakeAnswerStream::Disconnect() {
  if (ended() || disconnected_) return false;
  disconnected_ = true;
  if (owner_ != nullptr) {
    owner_->OnCancelled();
    CHECK(ended());
  }
  return true;
}

std::vector<std::string> FakeAnswerStream::TakeWritten() {
  return std::exchange(written_, {});
}

void FakeCallStream::Read() {
  CHECK(!reading_);
  reading_ = true;
}

void FakeCallStream::Write(grpc::ByteBuffer message) {
  CHECK(!writing_ && !writes_ended_);
  writing_ = true;
  written_.push_back(ToString(message));
}

void FakeCallStream::EndWrites() {
  CHECK(!writing_ && !writes_ended_);
  writes_ended_ = true;
}

bool FakeCallStream::Deliver(const std::string& message) {
  return Deliver(ToBuffer(message));
}

bool FakeCallStream::Deliver(const grpc::ByteBuffer& message) {
  if (!reading_ || done_) return false;
  reading_ = false;
  owner_->OnRead(message);
  return true;
}

bool FakeCallStream::FinishWrite() {
  if (!writing_ || done_) return false;
  writing_ = false;
  owner_->OnWritten();
  return true;
}

bool FakeCallStream::Finish(const grpc::Status& status) {
  if (done_) return false;
  done_ = true;
  owner_->OnDone(status);
  return true;
}

std::vector<std::string> FakeCallStream::TakeWritten() {
  return std::exchange(written_, {});
}

}  // namespace assay::rpc
