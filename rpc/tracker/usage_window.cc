#include "rpc/tracker/usage_window.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "runtime/base/check.h"

namespace assay::rpc::tracker {

void UsageWindow::Restore(const std::vector<UsageRecord>& records,
                          int64_t now) {
  CHECK(users_.empty());
  int64_t last_minute = 0;
  for (const UsageRecord& record : records) {
    last_minute = std::max(last_minute, record.minute);
  }
  offset_nanos_ = last_minute * kMinuteNanos - now;
  for (const UsageRecord& record : records) {
    if (last_minute - record.minute >= kMinutes) continue;
    User& user = Count(record.user, now);
    user.nanos[record.minute % kMinutes] += record.nanos;
    user.total_nanos += record.nanos;
  }
}

void UsageWindow::Begin(const std::string& user, int64_t now) {
  ++Count(user, now).held;
  Mark(user);
}

void UsageWindow::End(const std::string& user, int64_t now) {
  User& entry = Count(user, now);
  CHECK_GT(entry.held, 0) << user;
  --entry.held;
  Mark(user);
}

int64_t UsageWindow::Nanos(const std::string& user, int64_t now) {
  const auto found = users_.find(user);
  if (found == users_.end()) return 0;
  CountUntil(found->second, now + offset_nanos_);
  return found->second.total_nanos;
}

void UsageWindow::Mark(const std::string& user) { marked_.insert(user); }

std::vector<UsageRecord> UsageWindow::TakeChanges(int64_t now) {
  std::vector<UsageRecord> records;
  for (const std::string& name : marked_) {
    User& user = Count(name, now);
    Append(name, user, user.changed_minute, records);
    user.changed_minute = std::numeric_limits<int64_t>::max();
  }
  marked_.clear();
  Prune(now);
  return records;
}

std::vector<UsageRecord> UsageWindow::Records(int64_t now) {
  std::vector<UsageRecord> records;
  for (auto& [name, user] : users_) {
    CountUntil(user, now + offset_nanos_);
    Append(name, user, 0, records);
  }
  return records;
}

UsageWindow::User& UsageWindow::Count(const std::string& user, int64_t now) {
  const int64_t time = now + offset_nanos_;
  const auto [found, is_new] = users_.try_emplace(user);
  User& entry = found->second;
  if (is_new) {
    entry.counted_nanos = time;
    entry.minute = time / kMinuteNanos;
  }
  CountUntil(entry, time);
  return entry;
}

void UsageWindow::CountUntil(User& user, int64_t time) {
  if (time <= user.counted_nanos) return;
  const int64_t last_minute = time / kMinuteNanos;
  if (user.held > 0) {
    // Time before the window is not counted.
    int64_t from = std::max(user.counted_nanos,
                            (last_minute - kMinutes + 1) * kMinuteNanos);
    while (from < time) {
      const int64_t minute = from / kMinuteNanos;
      const int64_t until = std::min(time, (minute + 1) * kMinuteNanos);
      StartMinute(user, minute);
      user.nanos[minute % kMinutes] += user.held * (until - from);
      user.total_nanos += user.held * (until - from);
      user.changed_minute = std::min(user.changed_minute, minute);
      from = until;
    }
  }
  StartMinute(user, last_minute);
  user.counted_nanos = time;
}

void UsageWindow::StartMinute(User& user, int64_t minute) {
  if (minute - user.minute >= kMinutes) {
    user.nanos.fill(0);
    user.total_nanos = 0;
    user.minute = minute;
  }
  while (user.minute < minute) {
    ++user.minute;
    int64_t& oldest = user.nanos[user.minute % kMinutes];
    user.total_nanos -= oldest;
    oldest = 0;
  }
}

void UsageWindow::Append(const std::string& name, const User& user,
                         int64_t first_minute,
                         std::vector<UsageRecord>& records) {
  const int64_t oldest = std::max<int64_t>(0, user.minute - kMinutes + 1);
  for (int64_t minute = std::max(first_minute, oldest); minute <= user.minute;
       ++minute) {
    const int64_t nanos = user.nanos[minute % kMinutes];
    if (nanos > 0) records.push_back({name, minute, nanos});
  }
}

void UsageWindow::Prune(int64_t now) {
  const int64_t time = now + offset_nanos_;
  if (time / kMinuteNanos == pruned_minute_) return;
  pruned_minute_ = time / kMinuteNanos;
  for (auto entry = users_.begin(); entry != users_.end();) {
    CountUntil(entry->second, time);
    const bool unused =
        entry->second.held == 0 && entry->second.total_nanos == 0;
    entry = unused ? users_.erase(entry) : std::next(entry);
  }
}

}  // namespace assay::rpc::tracker
