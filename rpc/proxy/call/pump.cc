#include "rpc/proxy/call/pump.h"

#include <utility>

#include "runtime/base/check.h"

namespace assay::rpc {

Pump::Pump(std::function<void()> read,
           std::function<void(grpc::ByteBuffer)> write,
           std::function<void()> end)
    : read_(std::move(read)), write_(std::move(write)), end_(std::move(end)) {}

void Pump::OnRead(grpc::ByteBuffer message) {
  CHECK(!ended_ && !held_.has_value());
  if (writing_) {
    held_ = std::move(message);
  } else {
    WriteAndReadNext(std::move(message));
  }
}

void Pump::OnEnd() {
  CHECK(!ended_);
  ended_ = true;
  if (!writing_) end_();
}

void Pump::OnWritten() {
  if (!writing_) return;
  writing_ = false;
  if (held_.has_value()) {
    grpc::ByteBuffer message = *std::move(held_);
    held_.reset();
    WriteAndReadNext(std::move(message));
  } else if (ended_) {
    end_();
  }
}

void Pump::WriteAndReadNext(grpc::ByteBuffer message) {
  writing_ = true;
  write_(std::move(message));
  // After OnEnd(), the held message was the last one.
  if (!ended_) read_();
}

}  // namespace assay::rpc
