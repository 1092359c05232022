#include "tests/farm/chaos/clock_faults.h"

#include <signal.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay {
namespace {

constexpr double kHour = 3600;
// The sum is 0. The certificates are valid for a day before now.
constexpr double kJumps[] = {3 * kHour, -5 * kHour, 14 * kHour, -12 * kHour};
constexpr double kStop = 10;

}  // namespace

absl::StatusOr<FaultRow> SetWallClocks(ChaosFarm& farm, ChaosUsers& users,
                                       const ClockOptions& options) {
  const int failed = users.failed();
  const int64_t start = MonotonicNanos();
  const int64_t readings = farm.wall_clock().readings();
  Rng rng(11);
  std::vector<DeviceFault> faults;
  int jumps = 0;
  int64_t least_verdicts = INT64_MAX;
  const auto jump = [&](double seconds) {
    farm.wall_clock().Jump(seconds);
    ++jumps;
  };
  for (int i = 0; i < options.rounds; ++i) {
    for (const double seconds : kJumps) {
      const int64_t begin = MonotonicNanos();
      jump(seconds);
      SleepSeconds(options.observe_s);
      least_verdicts =
          std::min(least_verdicts, TallyOf(users.Logs(), begin).verdicts);
    }
    if (!options.strict) continue;
    // Calls to a server that does not answer end at their deadlines.
    const std::string device = users.BusyDevice(rng.NextU64(), {});
    const pid_t pid = farm.ServerPid(device);
    if (pid <= 0) return absl::DeadlineExceededError("no device is used");
    faults.push_back({device, MonotonicNanos()});
    kill(pid, SIGSTOP);
    for (int part = 0; part < 4; ++part) {
      SleepSeconds(kStop / 4);
      jump(-kHour);
    }
    kill(pid, SIGCONT);
    jump(4 * kHour);
    ASSAY_RETURN_IF_ERROR(users.Check());
    if (!farm.WaitForDevices(kSleeperKey, farm.options().devices, 15)) {
      return absl::DeadlineExceededError("a device did not come back");
    }
  }
  const int stuck = users.CountStuck(30);
  const std::vector<UserLog> logs = users.Logs();
  const Tally tally = TallyOf(logs, start);
  const Recoveries recoveries = RecoveriesFrom(logs, faults, start);
  FaultRow row;
  row.fault = "wall clock jumps by -12 to 14 hours";
  row.times = absl::StrCat(jumps);
  row.counted = absl::StrFormat(
      "measurements that broke 0 = %d%s; false verdicts 0 = %d of %d, at least "
      "%d after each jump; a stopped server meanwhile: users measured again "
      "after %.1f s < 10 s (%d times); stuck users 0 = %d; users that gave up "
      "0 = %d; %d readings of the clock, waits until a time of day 0 = %d",
      recoveries.unexplained,
      recoveries.unexplained == 0
          ? ""
          : absl::StrCat(" (", recoveries.first_unexplained, ")"),
      tally.wrong, tally.verdicts, least_verdicts, recoveries.longest_s,
      recoveries.count, stuck, users.failed() - failed,
      farm.wall_clock().readings() - readings, farm.wall_clock().waits());
  row.holds = tally.wrong == 0 && stuck == 0 && users.failed() == failed &&
              farm.wall_clock().readings() > readings &&
              farm.wall_clock().waits() == 0;
  if (options.strict) {
    row.holds &= recoveries.unexplained == 0 && least_verdicts > 0 &&
                 recoveries.count >= options.rounds &&
                 recoveries.longest_s < 10;
  }
  return row;
}

}  // namespace assay
