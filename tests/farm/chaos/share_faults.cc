#include "tests/farm/chaos/share_faults.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "rpc/client/remote_runner.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

constexpr int kClients[] = {4, 6, 12};
constexpr double kTolerance = 0.1;

struct Share {
  std::atomic<int64_t> nanos{0};
  std::atomic<int64_t> leases{0};
  std::atomic<int64_t> errors{0};
};

// Leases devices until the time has come.
void UseDevices(const rpc::ClientOptions& client, uint64_t seed, int64_t end,
                Share* share) {
  Rng rng(seed);
  while (MonotonicNanos() < end) {
    rpc::RemoteOptions options;
    options.tracker = client;
    options.wish.key = kSleeperKey;
    options.wish.wait_seconds =
        static_cast<double>(end - MonotonicNanos()) * 1e-9;
    const auto runner = rpc::RemoteRunner::Create(options);
    const absl::Status status =
        runner.ok() ? (*runner)->Connect() : runner.status();
    if (absl::IsDeadlineExceeded(status)) continue;
    if (!status.ok()) {
      ++share->errors;
      SleepSeconds(0.1);
      continue;
    }
    const int64_t begin = MonotonicNanos();
    SleepSeconds(rng.UniformFloat(0.5F, 1.5F));
    ++share->leases;
    share->nanos += std::min(MonotonicNanos(), end) - begin;
  }
}

}  // namespace

absl::StatusOr<FaultRow> ShareDevices(ChaosFarm& farm,
                                      const std::vector<std::string>& users,
                                      double seconds) {
  const int64_t end = MonotonicNanos() + static_cast<int64_t>(seconds * 1e9);
  std::vector<std::unique_ptr<Share>> shares;
  std::vector<std::thread> threads;
  for (size_t user = 0; user < users.size(); ++user) {
    ASSAY_ASSIGN_OR_RETURN(const auto client, farm.ClientOf(users[user]));
    shares.push_back(std::make_unique<Share>());
    for (int i = 0; i < kClients[user % std::size(kClients)]; ++i) {
      threads.emplace_back(UseDevices, client, 100 * user + i, end,
                           shares.back().get());
    }
  }
  for (std::thread& thread : threads) thread.join();
  double total = 0;
  int64_t leases = 0, errors = 0;
  for (const auto& share : shares) {
    total += static_cast<double>(share->nanos) * 1e-9;
    leases += share->leases;
    errors += share->errors;
  }
  const double fair = total / static_cast<double>(users.size());
  double worst = 0;
  std::string parts;
  for (const auto& share : shares) {
    const double part = static_cast<double>(share->nanos) * 1e-9;
    worst = std::max(worst, std::abs(part / fair - 1));
    absl::StrAppendFormat(&parts, "%s%.1f", parts.empty() ? "" : " + ", part);
  }
  FaultRow row;
  row.fault = absl::StrFormat("3 users, %d devices", farm.options().devices);
  row.times = absl::StrFormat("%.0f s, %d leases", seconds, leases);
  row.counted = absl::StrFormat(
      "device-seconds %s; farthest from fair %.1f %% <= 10 %%; errors 0 = %d; "
      "devices in use %.0f %% of the time",
      parts, 100 * worst, errors,
      100 * total / seconds / farm.options().devices);
  row.holds = leases > 0 && worst <= kTolerance && errors == 0;
  return row;
}

}  // namespace assay
