#include "tests/farm/chaos/device_faults.h"

#include <signal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "rpc/proto/tracker.pb.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

// The limit of a call (chaos_client.cc), that of a block with a sample of each
// of two programs that have not run before (rpc/client/block/block_limit.h),
// and what the server may take to kill a worker on a busy machine.
constexpr double kDeadline = 4;
constexpr double kLongestDeadline = 3 * kDeadline;
constexpr double kSlack = 6;
// Longer than a lease lasts.
constexpr double kSilence = 11;

double SecondsSince(int64_t start) {
  return static_cast<double>(MonotonicNanos() - start) * 1e-9;
}

// Returns true if the process is stopped, and not dead.
bool IsStopped(pid_t pid) {
  const auto stat = ReadFile(absl::StrCat("/proc/", pid, "/stat"));
  return stat.ok() && absl::StrContains(*stat, ") T ");
}

bool Exists(pid_t pid) {
  const auto stat = ReadFile(absl::StrCat("/proc/", pid, "/stat"));
  return stat.ok() && !absl::StrContains(*stat, ") Z ");
}

// Stops a worker of a busy device. Returns -1 if there is none.
pid_t StopWorker(ChaosFarm& farm, ChaosUsers& users, Rng& rng,
                 std::string* device) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    *device = users.BusyDevice(rng.NextU64(), {});
    for (const pid_t pid : farm.WorkerPids(*device)) {
      if (kill(pid, SIGSTOP) != 0) continue;
      SleepSeconds(0.02);
      // It may have been about to end.
      if (IsStopped(pid)) return pid;
    }
    SleepSeconds(0.01);
  }
  return -1;
}

}  // namespace

absl::StatusOr<FaultRow> HangWorkers(ChaosFarm& farm, ChaosUsers& users,
                                     int times, uint64_t seed) {
  Rng rng(seed);
  const int64_t start = MonotonicNanos();
  std::vector<DeviceFault> faults;
  double longest = 0;
  int64_t least_others = INT64_MAX;
  int left = 0;
  for (int i = 0; i < times; ++i) {
    std::string device;
    const int64_t begin = MonotonicNanos();
    const pid_t pid = StopWorker(farm, users, rng, &device);
    if (pid < 0) return absl::DeadlineExceededError("no worker runs");
    faults.push_back({device, begin});
    const int64_t stopped = MonotonicNanos();
    while (Exists(pid) && SecondsSince(stopped) < kLongestDeadline + kSlack) {
      SleepSeconds(0.02);
    }
    longest = std::max(longest, SecondsSince(stopped));
    if (Exists(pid)) {
      ++left;
      kill(pid, SIGKILL);
    }
    const std::vector<UserLog> logs = users.Logs();
    int64_t others = 0;
    for (const UserLog& log : logs) others += log.last_verdict_at > stopped;
    least_others = std::min(least_others, others);
  }
  const int stuck = users.CountStuck(30);
  const std::vector<UserLog> logs = users.Logs();
  const Tally tally = TallyOf(logs, start);
  FaultRow row;
  row.fault = "a worker hangs";
  row.times = absl::StrCat(times);
  row.counted = absl::StrFormat(
      "longest time until it was killed %.1f s, deadlines %.0f to %.0f s; "
      "workers "
      "left 0 = %d; other users with verdicts meanwhile: at least %d of %d; "
      "false "
      "verdicts 0 = %d of %d; stuck users 0 = %d",
      longest, kDeadline, kLongestDeadline, left, least_others,
      users.number() - 1, tally.wrong, tally.verdicts, stuck);
  row.holds = left == 0 && longest < kLongestDeadline + kSlack &&
              least_others >= users.number() - 1 && tally.wrong == 0 &&
              stuck == 0;
  return row;
}

absl::StatusOr<FaultRow> SilenceDevices(ChaosFarm& farm, ChaosUsers& users,
                                        int times, uint64_t seed) {
  Rng rng(seed);
  const int64_t start = MonotonicNanos();
  std::vector<DeviceFault> faults;
  int cut = 0, stopped = 0;
  for (int i = 0; i < times; ++i) {
    std::vector<std::string> others = farm.devices();
    others.pop_back();
    const std::string silent = users.BusyDevice(rng.NextU64(), others);
    TcpRelay* const relay = farm.heartbeat_relay(silent);
    if (relay != nullptr) {
      ++cut;
      const int64_t now = MonotonicNanos();
      faults.push_back({silent, now, now + 10'000'000'000});
      relay->SetSilent(true);
    }
    others = farm.devices();
    others.erase(std::remove(others.begin(), others.end(), silent),
                 others.end());
    const std::string hung = users.BusyDevice(rng.NextU64(), others);
    const pid_t pid = hung.empty() ? -1 : farm.ServerPid(hung);
    if (pid > 0) {
      ++stopped;
      faults.push_back({hung, MonotonicNanos()});
      kill(pid, SIGSTOP);
    }
    SleepSeconds(kSilence);
    if (pid > 0) kill(pid, SIGCONT);
    if (relay != nullptr) relay->SetSilent(false);
    // They are lent again.
    if (!farm.WaitForDevices(kSleeperKey, farm.options().devices, 15)) {
      return absl::DeadlineExceededError("a device did not come back");
    }
  }
  const int stuck = users.CountStuck(30);
  const std::vector<UserLog> logs = users.Logs();
  const Tally tally = TallyOf(logs, start);
  const Recoveries recoveries = RecoveriesFrom(logs, faults, start);
  FaultRow row;
  row.fault = "heartbeat lost: server stopped, or cut off from the tracker";
  row.times = absl::StrCat(stopped, " + ", cut);
  row.counted = absl::StrFormat(
      "longest time until the user measured again %.1f s < 10 s (%d times); "
      "false verdicts 0 = %d of %d (%d after a restart); broke without a fault "
      "0 = %d; stuck users 0 = %d",
      recoveries.longest_s, recoveries.count, tally.wrong, tally.verdicts,
      tally.restarted, recoveries.unexplained, stuck);
  row.holds = cut > 0 && stopped > 0 && recoveries.count >= stopped + cut &&
              recoveries.longest_s < 10 && recoveries.unexplained == 0 &&
              tally.wrong == 0 && stuck == 0;
  return row;
}

absl::StatusOr<FaultRow> CountSlowDevices(ChaosFarm& farm, ChaosUsers& users,
                                          int64_t from) {
  ASSAY_ASSIGN_OR_RETURN(const rpc::ListAnswer list, farm.List());
  int quarantined = 0;
  for (const rpc::ListedDevice& device : list.devices()) {
    quarantined += device.state() == rpc::ListedDevice::QUARANTINED;
  }
  const std::vector<UserLog> logs = users.Logs();
  const Tally slow = TallyOf(logs, from, INT64_MAX, "d1");
  const Tally hot = TallyOf(logs, from, INT64_MAX, "d2");
  FaultRow row;
  row.fault = "a device 2x slow, one throttled by 30 % in mid-run";
  row.times = absl::StrCat(slow.verdicts, " + ", hot.verdicts);
  row.counted = absl::StrFormat(
      "false verdicts 0 = %d + %d; inconclusive: %d + %d; devices in "
      "quarantine: %d",
      slow.wrong, hot.wrong, slow.inconclusive, hot.inconclusive, quarantined);
  row.holds = slow.verdicts > 0 && hot.verdicts > 0 && slow.wrong == 0 &&
              hot.wrong == 0;
  return row;
}

}  // namespace assay
