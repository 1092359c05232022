// UsageWindow: for how long each user held devices in the last hour.
//
// The tracker serves the user with the smallest use first (request_queue.h).
// The use is the sum over the devices of the time for which the user held them,
// including devices that the user still holds.
//
//   UsageWindow usage;
//   usage.Begin("ann", now);  // one device
//   usage.Begin("ann", now);  // two devices
//   now += 10 * second;
//   usage.Nanos("ann", now);  // 20 seconds
//   usage.End("ann", now);
//
// Time is counted in minutes: the window consists of the current minute and the
// 59 minutes before it, so that its length is between 59 and 60 minutes. All
// operations take constant time on average for one user.
//
// Minutes are numbered. The numbers continue after a restart (Restore()), as if
// the tracker had not been down: the monotonic clock may start anew, and the
// wall clock may be wrong.
//
// The times that are given to the methods must not decrease; an earlier time
// counts as the latest time of the user.
#ifndef ASSAY_RPC_TRACKER_USAGE_WINDOW_H_
#define ASSAY_RPC_TRACKER_USAGE_WINDOW_H_

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "rpc/tracker/records.h"

namespace assay::rpc::tracker {

class UsageWindow {
 public:
  static constexpr int64_t kMinutes = 60;
  static constexpr int64_t kMinuteNanos = 60'000'000'000;

  // Restores the window from the records of an earlier process. The last minute
  // among the records becomes the current one. Must be called before all other
  // methods.
  void Restore(const std::vector<UsageRecord>& records, int64_t now);

  // Starts to count one more device that the user holds.
  void Begin(const std::string& user, int64_t now);
  // Stops counting one of the devices. CHECK-fails if the user holds none.
  void End(const std::string& user, int64_t now);

  // Returns the use of the user in the window.
  int64_t Nanos(const std::string& user, int64_t now);

  // Adds the user to those whose use TakeChanges() returns. Begin() and End()
  // do this, too.
  void Mark(const std::string& user);
  // Returns the minutes whose use has changed since they were last returned,
  // ordered by user and minute, for the marked users. A record replaces the
  // earlier record of its user and minute.
  std::vector<UsageRecord> TakeChanges(int64_t now);

  // Returns all minutes of the window with use, ordered by user and minute.
  std::vector<UsageRecord> Records(int64_t now);

  // Returns the number of users in memory. TakeChanges() forgets users who have
  // no use in the window and hold no device.
  int64_t users() const { return static_cast<int64_t>(users_.size()); }

 private:
  struct User {
    int64_t held = 0;  // number of devices
    // The end of the time that is counted, and its minute. These times and
    // minutes contain the offset.
    int64_t counted_nanos = 0;
    int64_t minute = 0;
    // The first minute whose use TakeChanges() has not returned yet.
    int64_t changed_minute = std::numeric_limits<int64_t>::max();
    // The use in the minutes of the window; minute m is at index m % kMinutes.
    std::array<int64_t, kMinutes> nanos = {};
    int64_t total_nanos = 0;
  };

  // Returns the entry of the user, which is created if it is missing, after
  // all time until `now` was counted.
  User& Count(const std::string& user, int64_t now);
  static void CountUntil(User& user, int64_t time);
  // Makes `minute` the current minute of the user and drops the minutes that
  // leave the window.
  static void StartMinute(User& user, int64_t minute);
  static void Append(const std::string& name, const User& user,
                     int64_t first_minute, std::vector<UsageRecord>& records);
  // Forgets users without use. Has an effect once a minute.
  void Prune(int64_t now);

  std::map<std::string, User> users_;
  std::set<std::string> marked_;
  // Added to the times of the caller, so that minutes continue after a restart.
  int64_t offset_nanos_ = 0;
  int64_t pruned_minute_ = 0;
};

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_USAGE_WINDOW_H_
