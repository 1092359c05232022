#include "rpc/server/crash_record.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"

namespace assay::rpc {
namespace {

constexpr size_t kMaxWhat = 200;
constexpr size_t kMaxRecent = 1000;

}  // namespace

CrashRecord::CrashRecord(const CrashOptions& options, Clock* clock)
    : options_(options), clock_(clock) {}

void CrashRecord::Add(absl::string_view user, absl::string_view what) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++count_;
  const int64_t now = clock_->NowNanos();
  while (!recent_.empty() &&
         now - recent_.front().nanos > options_.window_nanos) {
    recent_.pop_front();
  }
  // A user whose artifacts always crash cannot make the list long.
  const auto is_same = [&](const Crash& crash) { return crash.user == user; };
  const size_t same = static_cast<size_t>(
      std::count_if(recent_.begin(), recent_.end(), is_same));
  if (same >= options_.max_crashes) {
    recent_.erase(std::find_if(recent_.begin(), recent_.end(), is_same));
  }
  if (recent_.size() >= kMaxRecent) recent_.pop_front();
  recent_.push_back({now, std::string(user)});
  std::set<absl::string_view> users;
  for (const Crash& crash : recent_) users.insert(crash.user);
  if (problem_.empty() && recent_.size() >= options_.max_crashes &&
      users.size() >= options_.min_users) {
    problem_ = absl::StrCat(recent_.size(), " workers of ", users.size(),
                            " users crashed within ",
                            options_.window_nanos / 1'000'000'000,
                            " s; the last one: ", what.substr(0, kMaxWhat));
  }
}

int64_t CrashRecord::count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return count_;
}

std::string CrashRecord::problem() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return problem_;
}

void CrashRecord::Clear() {
  const std::lock_guard<std::mutex> lock(mutex_);
  recent_.clear();
  problem_.clear();
}

}  // namespace assay::rpc
