#include "tests/farm/chaos/kill_faults.h"

#include <signal.h>

#include <array>
#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "tests/farm/chaos/promises.h"

namespace assay {
namespace {

enum Victim { kTracker, kServer, kWorker, kUser, kVictims };

class Killer {
 public:
  Killer(ChaosFarm& farm, ChaosUsers& users, const KillOptions& options)
      : farm_(farm),
        users_(users),
        options_(options),
        rng_(options.seed),
        promises_(&farm) {
    left_.fill(options.kills);
  }

  absl::StatusOr<std::vector<FaultRow>> Run() {
    const int64_t start = MonotonicNanos();
    for (int left = 4 * options_.kills; left > 0; --left) {
      SleepSeconds(options_.pause_s * 2 * rng_.UniformFloat(0, 1));
      ASSAY_RETURN_IF_ERROR(KillOne(left));
      ASSAY_RETURN_IF_ERROR(users_.Check());
      if (options_.progress) {
        std::cerr << "\r" << left - 1 << " kills left  " << std::flush;
      }
    }
    const int stuck = users_.CountStuck(30);
    return Rows(start, stuck);
  }

 private:
  absl::Status KillOne(int left) {
    int64_t draw = rng_.UniformInt(0, left - 1);
    int victim = 0;
    while (draw >= left_[static_cast<size_t>(victim)]) {
      draw -= left_[static_cast<size_t>(victim++)];
    }
    --left_[static_cast<size_t>(victim)];
    switch (victim) {
      case kTracker:
        return KillTracker();
      case kServer:
        return KillServer();
      case kWorker:
        return KillWorker();
      default:
        return users_.Restart(
            static_cast<int>(rng_.UniformInt(0, users_.number() - 1)));
    }
  }

  absl::Status KillTracker() {
    ASSAY_RETURN_IF_ERROR(promises_.Make());
    farm_.KillTracker();
    SleepSeconds(rng_.UniformFloat(0, 1));
    ASSAY_RETURN_IF_ERROR(farm_.StartTracker());
    promises_.Check();
    return absl::OkStatus();
  }

  // Usually one that is used.
  std::string Draw() {
    const std::vector<std::string> devices = farm_.devices();
    const uint64_t draw = rng_.NextU64();
    const std::string any = devices[draw % devices.size()];
    if (rng_.UniformInt(0, 4) == 0) return any;
    const std::string busy = users_.BusyDevice(draw, {});
    return busy.empty() ? any : busy;
  }

  absl::Status KillServer() {
    const std::string device = Draw();
    faults_.push_back({device, MonotonicNanos()});
    farm_.KillServer(device);
    SleepSeconds(rng_.UniformFloat(0, 1));
    return farm_.StartServer(device);
  }

  absl::Status KillWorker() {
    // A worker runs for a part of the time only.
    for (int attempt = 0; attempt < 100; ++attempt) {
      const std::string device = Draw();
      const int64_t now = MonotonicNanos();
      for (const pid_t pid : farm_.WorkerPids(device)) {
        if (kill(pid, SIGKILL) != 0) continue;
        faults_.push_back({device, now});
        return absl::OkStatus();
      }
      SleepSeconds(0.01);
    }
    return absl::DeadlineExceededError("no worker runs");
  }

  std::vector<FaultRow> Rows(int64_t start, int stuck) const {
    const std::vector<UserLog> logs = users_.Logs();
    const Tally tally = TallyOf(logs, start);
    const Recoveries recoveries = RecoveriesFrom(logs, faults_, start);
    int64_t lost = 0, broken = 0;
    for (const UserLog& log : logs) {
      lost += log.lost;
      broken += log.broken_lines;
    }
    std::string kinds;
    for (const auto& [kind, number] : tally.kinds) {
      absl::StrAppend(&kinds, ", ", kind, ": ", number);
    }
    FaultRow verdicts;
    verdicts.fault = "kill -9 of tracker, server, worker, user";
    verdicts.times = absl::StrCat(options_.kills, " each");
    verdicts.counted = absl::StrFormat(
        "false verdicts 0 = %d of %d (%d after a restart%s); lost records 0 = "
        "%d; broken lines 0 = %d; stuck users 0 = %d; users that gave up 0 = "
        "%d%s",
        tally.wrong, tally.verdicts, tally.restarted, kinds, lost, broken,
        stuck, users_.failed(),
        users_.failed() == 0 ? ""
                             : absl::StrCat(" (", users_.first_failure(), ")"));
    verdicts.holds = tally.verdicts > 0 && tally.wrong == 0 && lost == 0 &&
                     broken == 0 && stuck == 0 && users_.failed() == 0;
    FaultRow dispatch;
    dispatch.fault = "kill -9 of the server or worker of a user";
    dispatch.times = absl::StrCat(recoveries.count);
    dispatch.counted = absl::StrFormat(
        "longest time until the user measured again %.1f s < 10 s (%s); "
        "measurements that broke without a fault 0 = %d%s",
        recoveries.longest_s, recoveries.slowest, recoveries.unexplained,
        recoveries.unexplained == 0
            ? ""
            : absl::StrCat(" (", recoveries.first_unexplained, ")"));
    dispatch.holds = !options_.strict ||
                     (recoveries.count > 0 && recoveries.longest_s < 10 &&
                      recoveries.unexplained == 0);
    FaultRow tracker;
    tracker.fault = "kill -9 of the tracker: promises";
    tracker.times = absl::StrCat(options_.kills);
    tracker.counted =
        absl::StrFormat("leases, places and tokens lost 0 = %d of %d%s",
                        promises_.lost(), promises_.made(),
                        promises_.lost() == 0
                            ? ""
                            : absl::StrCat(" (", promises_.first_loss(), ")"));
    tracker.holds = promises_.made() > 0 && promises_.lost() == 0;
    return {verdicts, dispatch, tracker};
  }

  ChaosFarm& farm_;
  ChaosUsers& users_;
  const KillOptions options_;
  Rng rng_;
  std::array<int, kVictims> left_ = {};
  std::vector<DeviceFault> faults_;
  Promises promises_;
};

}  // namespace

absl::StatusOr<std::vector<FaultRow>> KillPrograms(ChaosFarm& farm,
                                                   ChaosUsers& users,
                                                   const KillOptions& options) {
  return Killer(farm, users, options).Run();
}

}  // namespace assay
