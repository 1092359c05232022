#include "rpc/client/retry.h"

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {

Retry::Retry(std::string peer, Clock* clock, const Cancellation* cancellation,
             Notify notify)
    : peer_(std::move(peer)),
      clock_(clock),
      cancellation_(cancellation),
      notify_(std::move(notify)),
      rng_(std::random_device{}()) {}

absl::Status Retry::Call(
    int64_t deadline_nanos,
    absl::FunctionRef<absl::Status(int64_t left_nanos)> call) {
  const int64_t start = clock_->NowNanos();
  int64_t longest = kFirstRetryNanos;
  while (true) {
    ASSAY_RETURN_IF_ERROR(cancellation_->status());
    const int64_t left = deadline_nanos - clock_->NowNanos();
    const absl::Status status = call(std::max<int64_t>(left, 0));
    if (status.ok()) return status;
    ASSAY_RETURN_IF_ERROR(cancellation_->status());
    if (!absl::IsUnavailable(status)) return status;
    // From half of the longest wait to all of it.
    const int64_t wait = rng_.UniformInt(longest / 2, longest);
    const int64_t now = clock_->NowNanos();
    if (now + wait >= deadline_nanos) {
      return absl::UnavailableError(absl::StrFormat(
          "%s did not answer for %.1f s: %s", peer_,
          static_cast<double>(now - start) * 1e-9, status.message()));
    }
    if (notify_ != nullptr) {
      notify_(absl::StrFormat("%s does not answer: trying again in %.1f s",
                              peer_, static_cast<double>(wait) * 1e-9));
    }
    ASSAY_RETURN_IF_ERROR(cancellation_->Sleep(wait, clock_));
    longest = std::min(2 * longest, kMaxRetryNanos);
  }
}

}  // namespace assay::rpc
