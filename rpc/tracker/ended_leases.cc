#include "rpc/tracker/ended_leases.h"

#include "absl/strings/str_cat.h"

namespace assay::rpc::tracker {

absl::Status LeaseEndedError(int64_t token, const std::string& device,
                             LeaseEnd reason) {
  return absl::AbortedError(
      absl::StrCat("the lease ", token, " of `", device,
                   "` has ended: ", LeaseEndText(reason)));
}

void EndedLeases::Add(int64_t token, const std::string& device,
                      LeaseEnd reason) {
  by_token_[token] = {device, reason};
  tokens_.push_back(token);
  if (static_cast<int64_t>(tokens_.size()) <= kMaxLeases) return;
  by_token_.erase(tokens_.front());
  tokens_.pop_front();
}

absl::Status EndedLeases::Error(int64_t token) const {
  const auto found = by_token_.find(token);
  if (found == by_token_.end()) {
    return absl::AbortedError(absl::StrCat("the lease ", token, " has ended"));
  }
  return LeaseEndedError(token, found->second.device, found->second.reason);
}

}  // namespace assay::rpc::tracker
