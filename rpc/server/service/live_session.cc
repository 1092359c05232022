#include "rpc/server/service/live_session.h"

namespace assay::rpc {

bool LiveSession::End(const absl::Status& reason) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!ended_.ok()) return false;
    ended_ = reason;
  }
  interrupt.Raise();
  return true;
}

absl::Status LiveSession::ended() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return ended_;
}

void LiveSession::set_folder(const std::string& folder) {
  const std::lock_guard<std::mutex> lock(mutex_);
  folder_ = folder;
}

std::string LiveSession::folder() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return folder_;
}

void CallState::Cancel() {
  std::function<void()> end_session;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    cancelled_ = true;
    std::swap(end_session, end_session_);
  }
  if (end_session) end_session();
}

bool CallState::Begin(std::function<void()> end_session) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (cancelled_) return false;
  end_session_ = std::move(end_session);
  return true;
}

void CallState::End() {
  const std::lock_guard<std::mutex> lock(mutex_);
  end_session_ = nullptr;
}

}  // namespace assay::rpc
