#include "tests/farm/chaos/chaos_users.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay {

std::string ChaosUsers::PathOf(size_t user, const std::string& suffix) const {
  return farm_->PathOf(absl::StrCat("user", user, suffix));
}

absl::Status ChaosUsers::StartOne(size_t user) {
  ASSAY_ASSIGN_OR_RETURN(
      processes_[user],
      rpc::Child::Start(absl::StrCat("user", user),
                        {farm_->options().programs.client,
                         absl::StrCat("--key=", kSleeperKey),
                         absl::StrCat("--log=", PathOf(user, ".jsonl")),
                         absl::StrCat("--seed=", ++seed_)},
                        PathOf(user, ".log")));
  return absl::OkStatus();
}

absl::Status ChaosUsers::Start() {
  for (size_t user = 0; user < processes_.size(); ++user) {
    if (processes_[user] == nullptr) ASSAY_RETURN_IF_ERROR(StartOne(user));
  }
  return absl::OkStatus();
}

absl::Status ChaosUsers::Restart(int user) {
  processes_[static_cast<size_t>(user)].reset();
  return StartOne(static_cast<size_t>(user));
}

void ChaosUsers::StopAll() {
  for (auto& process : processes_) process.reset();
}

absl::Status ChaosUsers::Check() {
  for (size_t user = 0; user < processes_.size(); ++user) {
    if (processes_[user] == nullptr) continue;
    const absl::Status status = processes_[user]->Check();
    if (status.ok()) continue;
    if (++failed_ == 1) first_failure_ = std::string(status.message());
    ASSAY_RETURN_IF_ERROR(StartOne(user));
  }
  return absl::OkStatus();
}

std::vector<UserLog> ChaosUsers::Logs() const {
  std::vector<UserLog> logs;
  for (size_t user = 0; user < processes_.size(); ++user) {
    logs.push_back(ReadUserLog(PathOf(user, ".jsonl"), PathOf(user, ".log")));
  }
  return logs;
}

std::string ChaosUsers::DeviceOf(int user) const {
  const auto index = static_cast<size_t>(user);
  const UserLog log =
      ReadUserLog(PathOf(index, ".jsonl"), PathOf(index, ".log"));
  if (log.events.empty()) return "";
  return log.events.back().device;  // empty if it broke
}

std::string ChaosUsers::BusyDevice(uint64_t draw,
                                   const std::vector<std::string>& among) {
  const int64_t end = MonotonicNanos() + 5'000'000'000;
  while (MonotonicNanos() < end) {
    for (int i = 0; i < number(); ++i) {
      const std::string device = DeviceOf(static_cast<int>(
          (draw + static_cast<uint64_t>(i)) % static_cast<uint64_t>(number())));
      if (device.empty()) continue;
      if (among.empty() ||
          std::find(among.begin(), among.end(), device) != among.end()) {
        return device;
      }
    }
    SleepSeconds(0.05);
  }
  return "";
}

int ChaosUsers::CountStuck(double seconds) {
  const int64_t start = MonotonicNanos();
  while (true) {
    int stuck = 0;
    for (const UserLog& log : Logs()) stuck += log.last_verdict_at < start;
    if (stuck == 0 ||
        MonotonicNanos() - start > static_cast<int64_t>(seconds * 1e9)) {
      return stuck;
    }
    SleepSeconds(0.2);
  }
}

}  // namespace assay
