#include "rpc/client/cancellation.h"

#include <algorithm>

#include "runtime/base/check.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSliceNanos = 20'000'000;

}  // namespace

void Cancellation::Cancel(const absl::Status& reason) {
  CHECK(!reason.ok());
  const absl::MutexLock lock(&mutex_);
  if (!reason_.ok()) return;
  reason_ = reason;
  // TryCancel() does not wait for the call, and the mutex keeps the contexts
  // alive.
  for (grpc::ClientContext* context : calls_) context->TryCancel();
}

absl::Status Cancellation::status() const {
  const absl::MutexLock lock(&mutex_);
  return reason_;
}

absl::Status Cancellation::Sleep(int64_t nanos, Clock* clock) const {
  const int64_t end = clock->NowNanos() + nanos;
  while (true) {
    const absl::Status reason = status();
    const int64_t left = end - clock->NowNanos();
    if (!reason.ok() || left <= 0) return reason;
    clock->SleepNanos(std::min(left, kSliceNanos));
  }
}

Cancellation::Call::Call(Cancellation* cancellation,
                         grpc::ClientContext* context)
    : cancellation_(cancellation), context_(context) {
  const absl::MutexLock lock(&cancellation_->mutex_);
  cancellation_->calls_.insert(context_);
  if (!cancellation_->reason_.ok()) context_->TryCancel();
}

Cancellation::Call::~Call() {
  const absl::MutexLock lock(&cancellation_->mutex_);
  cancellation_->calls_.erase(context_);
}

}  // namespace assay::rpc
