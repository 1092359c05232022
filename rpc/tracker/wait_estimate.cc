#include "rpc/tracker/wait_estimate.h"

namespace assay::rpc::tracker {

void WaitEstimate::AddLease(const std::string& key, int64_t nanos) {
  const double duration = static_cast<double>(nanos);
  const auto [mean, is_first] = mean_nanos_.try_emplace(key, duration);
  if (!is_first) mean->second += (duration - mean->second) / 8;
}

int64_t WaitEstimate::MeanNanos(const std::string& key) const {
  const auto found = mean_nanos_.find(key);
  return found == mean_nanos_.end() ? initial_mean_nanos_
                                    : static_cast<int64_t>(found->second);
}

int64_t WaitEstimate::Nanos(const std::string& key, int64_t place,
                            int64_t devices) const {
  if (devices == 0) return -1;
  return static_cast<int64_t>(static_cast<double>(place) *
                              static_cast<double>(MeanNanos(key)) /
                              static_cast<double>(devices));
}

}  // namespace assay::rpc::tracker
