// CrashRecord: decides when the workers of a device crash so often that the
// device itself is to blame.
//
// A worker runs code that somebody else has compiled, so it crashes for two
// reasons: the code is wrong, or the board is. The artifacts of one user must
// not take the board away from all others. Therefore the record reports a
// problem only if, within a window, there were several crashes, and of sessions
// of more than one user:
//
//   CrashRecord crashes(options);
//   crashes.Add("ann", "died of signal 11");          // the device service
//   health.set_crashes(crashes.count());              // the registration
//   health.set_problem(crashes.problem());
//   crashes.Clear();                                  // good canaries
//
// A problem stays until Clear(). Thread-safe.
#ifndef ASSAY_RPC_SERVER_CRASH_RECORD_H_
#define ASSAY_RPC_SERVER_CRASH_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/base/clock.h"

namespace assay::rpc {

struct CrashOptions {
  size_t max_crashes = 5;  // this number is a problem
  size_t min_users = 2;
  int64_t window_nanos = int64_t{600} * 1'000'000'000;
};

class CrashRecord {
 public:
  explicit CrashRecord(const CrashOptions& options = {},
                       Clock* clock = Clock::Monotonic());
  CrashRecord(const CrashRecord&) = delete;
  CrashRecord& operator=(const CrashRecord&) = delete;

  // A worker of this user has ended by itself or was killed at its deadline.
  // `what` says how, in some words.
  void Add(absl::string_view user, absl::string_view what);

  // The number of all crashes since the start.
  int64_t count() const;
  // Why the device must not be lent, or an empty text.
  std::string problem() const;

  // Forgets the crashes and the problem, but not their number.
  void Clear();

 private:
  struct Crash {
    int64_t nanos = 0;
    std::string user = {};
  };

  const CrashOptions options_;
  Clock* const clock_;
  mutable std::mutex mutex_;
  // Those within the window. Of the older ones of a user, only as many are kept
  // as matter, so that the list stays short.
  std::deque<Crash> recent_;
  int64_t count_ = 0;
  std::string problem_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_CRASH_RECORD_H_
