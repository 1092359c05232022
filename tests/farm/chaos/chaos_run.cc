#include "tests/farm/chaos/chaos_run.h"

#include <dirent.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "rpc/farm/farm_folder.h"
#include "rpc/proto/tracker.pb.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "tests/farm/chaos/blob_faults.h"
#include "tests/farm/chaos/chaos_users.h"
#include "tests/farm/chaos/clock_faults.h"
#include "tests/farm/chaos/device_faults.h"
#include "tests/farm/chaos/kill_faults.h"
#include "tests/farm/chaos/network_faults.h"
#include "tests/farm/chaos/share_faults.h"
#include "tests/farm/chaos/token_faults.h"

namespace assay {
namespace {

const std::vector<std::string>& SharingUsers() {
  static const auto* const users =
      new std::vector<std::string>{"ann", "ben", "carl"};
  return *users;
}

int CountEntries(const std::string& folder) {
  int count = 0;
  DIR* const directory = opendir(folder.c_str());
  if (directory == nullptr) return 0;
  while (const dirent* entry = readdir(directory)) {
    count += entry->d_name[0] != '.';
  }
  closedir(directory);
  return count;
}

class Chaos {
 public:
  explicit Chaos(const ChaosOptions& options) : options_(options) {}

  absl::StatusOr<std::vector<FaultRow>> Run() {
    ChaosFarmOptions farm;
    farm.folder = options_.folder;
    farm.programs = options_.programs;
    farm.devices = options_.devices;
    farm.small_disks = options_.small_disks;
    farm.users = SharingUsers();
    ASSAY_ASSIGN_OR_RETURN(farm_, ChaosFarm::Start(farm));
    users_ = std::make_unique<ChaosUsers>(farm_.get(), options_.users,
                                          options_.seed);
    if (!farm_->WaitForDevices(kSleeperKey, options_.devices, 20) ||
        !farm_->WaitForDevices(kProbeKey, 1, 20)) {
      return absl::DeadlineExceededError("a device did not register");
    }
    const int64_t start = MonotonicNanos();
    ASSAY_RETURN_IF_ERROR(users_->Start());
    ASSAY_RETURN_IF_ERROR(AwaitVerdicts());
    Group("kill", [&] { return KillAll(); });
    One("hang",
        [&] { return HangWorkers(*farm_, *users_, Times(5), options_.seed); });
    One("silence", [&] {
      return SilenceDevices(*farm_, *users_, Times(5), options_.seed);
    });
    One("token", [&] {
      return PresentStaleTokens(*farm_, Times(20), Times(3),
                                options_.scale < 1 ? 0 : 3);
    });
    One("network",
        [&] { return SlowNetwork(*farm_, *users_, 60 * options_.scale); });
    One("upload", [&] { return CutUploads(*farm_, Times(6)); });
    One("damage", [&] { return DamageArtifacts(*farm_); });
    One("disk", [&] { return FillDisks(*farm_); });
    One("clock", [&] {
      ClockOptions clock;
      clock.rounds = Times(3);
      if (!options_.strict) clock.observe_s = 0.3;
      clock.strict = options_.strict;
      return SetWallClocks(*farm_, *users_, clock);
    });
    One("slow", [&] { return CountSlowDevices(*farm_, *users_, start); });
    Group("left", [&] { return CountLeft(); });
    users_->StopAll();
    One("share", [&] {
      return ShareDevices(*farm_, SharingUsers(), 40 * options_.scale);
    });
    return rows_;
  }

 private:
  int Times(int in_long_run) const {
    return std::max(
        1, static_cast<int>(std::lround(options_.scale * in_long_run)));
  }

  absl::Status AwaitVerdicts() {
    const int stuck = users_->CountStuck(30);
    ASSAY_RETURN_IF_ERROR(users_->Check());
    if (stuck == 0) return absl::OkStatus();
    return absl::DeadlineExceededError(absl::StrCat(
        stuck, " users have no verdict ", users_->first_failure()));
  }

  absl::StatusOr<std::vector<FaultRow>> KillAll() {
    KillOptions kills;
    kills.kills = options_.kills;
    kills.pause_s = options_.pause_s;
    kills.strict = options_.strict;
    kills.seed = options_.seed;
    kills.progress = options_.progress;
    return KillPrograms(*farm_, *users_, kills);
  }

  void One(const std::string& name,
           const std::function<absl::StatusOr<FaultRow>()>& fault) {
    Group(name, [&]() -> absl::StatusOr<std::vector<FaultRow>> {
      ASSAY_ASSIGN_OR_RETURN(FaultRow row, fault());
      return std::vector<FaultRow>{std::move(row)};
    });
  }

  void Group(
      const std::string& name,
      const std::function<absl::StatusOr<std::vector<FaultRow>>()>& faults) {
    if (!options_.groups.empty() && options_.groups.count(name) == 0) return;
    const int64_t start = MonotonicNanos();
    const auto rows = faults();
    if (options_.progress) {
      std::cerr << "\r"
                << absl::StrFormat(
                       "%s: %.0f s          \n", name,
                       static_cast<double>(MonotonicNanos() - start) * 1e-9)
                << (rows.ok() ? FaultTable(*rows) : "") << std::flush;
    }
    if (rows.ok()) {
      rows_.insert(rows_.end(), rows->begin(), rows->end());
      return;
    }
    FaultRow row;
    row.fault = name;
    row.counted = rows.status().ToString();
    rows_.push_back(std::move(row));
  }

  // Kills all users, and waits until nothing is left of them.
  absl::StatusOr<std::vector<FaultRow>> CountLeft() {
    users_->StopAll();
    // A lease that nobody renews ends after its duration and a margin.
    const int64_t start = MonotonicNanos();
    int leases = 0, waiting = 0, workers = 0, folders = 0;
    do {
      SleepSeconds(0.2);
      leases = workers = folders = 0;
      const auto list = farm_->List();
      if (!list.ok()) continue;
      for (const rpc::ListedDevice& device : list->devices()) {
        leases += device.state() == rpc::ListedDevice::LEASED;
      }
      waiting = list->queue_size();
      for (const std::string& device : farm_->devices()) {
        workers += static_cast<int>(farm_->WorkerPids(device).size());
        folders += CountEntries(JoinPath(
            rpc::DeviceFolder(farm_->PathOf("farm"), device), "state/workers"));
      }
    } while (leases + waiting + workers + folders > 0 &&
             MonotonicNanos() - start < 20'000'000'000);
    FaultRow row;
    row.fault = "all users are killed";
    row.times = absl::StrCat(users_->number());
    row.counted = absl::StrFormat(
        "after %.1f s: stuck leases 0 = %d; requests 0 = %d; workers 0 = %d; "
        "folders of workers 0 = %d",
        static_cast<double>(MonotonicNanos() - start) * 1e-9, leases, waiting,
        workers, folders);
    row.holds = leases + waiting + workers + folders == 0;
    return std::vector<FaultRow>{row};
  }

  const ChaosOptions options_;
  std::unique_ptr<ChaosFarm> farm_;
  std::unique_ptr<ChaosUsers> users_;
  std::vector<FaultRow> rows_;
};

}  // namespace

std::vector<std::string> ChaosGroups() {
  return {"kill",   "hang", "silence", "token", "network", "upload",
          "damage", "disk", "clock",   "slow",  "left",    "share"};
}

absl::StatusOr<std::vector<FaultRow>> RunChaos(const ChaosOptions& options) {
  return Chaos(options).Run();
}

}  // namespace assay
