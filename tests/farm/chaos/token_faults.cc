#include "tests/farm/chaos/token_faults.h"

#include <signal.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "tests/farm/chaos/tools/raw_client.h"

namespace assay {
namespace {

class StaleTokens {
 public:
  StaleTokens(ChaosFarm& farm, std::unique_ptr<RawClient> client)
      : farm_(farm), client_(std::move(client)) {}

  // The earlier holder calls after the next one, and after it has released.
  absl::Status Release() {
    ASSAY_ASSIGN_OR_RETURN(const RawLease first, AcquireAndUse());
    ASSAY_RETURN_IF_ERROR(client_->Release(first.name));
    ASSAY_ASSIGN_OR_RETURN(const RawLease second, AcquireAndUse());
    Present(first);
    ASSAY_RETURN_IF_ERROR(client_->Show(second));
    ASSAY_RETURN_IF_ERROR(client_->Release(second.name));
    Present(first);
    return absl::OkStatus();
  }

  absl::Status Kill() {
    ASSAY_ASSIGN_OR_RETURN(const RawLease first, AcquireAndUse());
    ASSAY_RETURN_IF_ERROR(client_->Release(first.name));
    farm_.KillServer(kProbe);
    ASSAY_RETURN_IF_ERROR(farm_.StartServer(kProbe));
    // The first call that the server admits is that of the next holder.
    ASSAY_ASSIGN_OR_RETURN(const RawLease second, AcquireAndUse());
    Present(first);
    ASSAY_RETURN_IF_ERROR(client_->Show(second));
    return client_->Release(second.name);
  }

  absl::Status Stop() {
    ASSAY_ASSIGN_OR_RETURN(const RawLease first, AcquireAndUse());
    const pid_t pid = farm_.ServerPid(kProbe);
    kill(pid, SIGSTOP);
    const int64_t end = MonotonicNanos() + 15'000'000'000;
    absl::Status renewed;
    while (!absl::IsAborted(renewed) && MonotonicNanos() < end) {
      SleepSeconds(0.2);
      renewed = client_->Renew(first.name).status();
    }
    kill(pid, SIGCONT);
    if (!absl::IsAborted(renewed)) {
      return absl::DeadlineExceededError("the lease did not end");
    }
    ASSAY_ASSIGN_OR_RETURN(const RawLease second, AcquireAndUse());
    Present(first);
    return client_->Release(second.name);
  }

  int64_t refused() const { return refused_; }
  int64_t accepted() const { return accepted_; }
  const std::string& first_accepted() const { return first_accepted_; }

 private:
  absl::StatusOr<RawLease> AcquireAndUse() {
    ASSAY_ASSIGN_OR_RETURN(const RawLease lease,
                           client_->Acquire(kProbeKey, "", 30));
    // A server that was just started waits for the key of the tracker.
    const int64_t end = MonotonicNanos() + 10'000'000'000;
    absl::Status shown = client_->Show(lease);
    while (absl::IsUnavailable(shown) && MonotonicNanos() < end) {
      SleepSeconds(0.1);
      shown = client_->Show(lease);
    }
    ASSAY_RETURN_IF_ERROR(shown);
    return lease;
  }

  void Present(const RawLease& lease) {
    for (const absl::Status& status : client_->TryAllCalls(lease)) {
      if (absl::IsAborted(status)) {
        ++refused_;
      } else if (++accepted_ == 1) {
        first_accepted_ = status.ToString();
      }
    }
  }

  ChaosFarm& farm_;
  const std::unique_ptr<RawClient> client_;
  int64_t refused_ = 0;
  int64_t accepted_ = 0;
  std::string first_accepted_;
};

}  // namespace

absl::StatusOr<FaultRow> PresentStaleTokens(ChaosFarm& farm, int releases,
                                            int kills, int stops) {
  ASSAY_ASSIGN_OR_RETURN(auto options, farm.ClientOf("me"));
  ASSAY_ASSIGN_OR_RETURN(auto client, RawClient::Open(std::move(options)));
  StaleTokens tokens(farm, std::move(client));
  for (int i = 0; i < releases; ++i) ASSAY_RETURN_IF_ERROR(tokens.Release());
  for (int i = 0; i < kills; ++i) ASSAY_RETURN_IF_ERROR(tokens.Kill());
  for (int i = 0; i < stops; ++i) ASSAY_RETURN_IF_ERROR(tokens.Stop());
  FaultRow row;
  row.fault = "stale token";
  row.times = absl::StrCat(tokens.refused() + tokens.accepted());
  row.counted = absl::StrFormat(
      "not refused 0 = %d%s; refused with ABORTED: %d", tokens.accepted(),
      tokens.accepted() == 0 ? ""
                             : absl::StrCat(" (", tokens.first_accepted(), ")"),
      tokens.refused());
  row.holds = tokens.refused() > 0 && tokens.accepted() == 0;
  return row;
}

}  // namespace assay
