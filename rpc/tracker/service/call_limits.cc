#include "rpc/tracker/service/call_limits.h"

#include "absl/strings/str_cat.h"

namespace assay::rpc {

absl::StatusOr<CallLimits::Slot> CallLimits::Take(const std::string& caller) {
  const std::lock_guard<std::mutex> lock(mutex_);
  int64_t& open = open_[caller];
  if (open >= max_calls_) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "`", caller, "` has ", open, " open calls of ", calls_, " already"));
  }
  ++open;
  return Slot(this, caller);
}

void CallLimits::GiveBack(const std::string& caller) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto open = open_.find(caller);
  if (--open->second == 0) open_.erase(open);
}

}  // namespace assay::rpc
