// CanaryJudge: decides from the runs of the canary (canary.h) whether a device
// is healthy.
//
//   CanaryJudge judge(JoinPath(state_folder, "canary.json"), fingerprint);
//   judge.Add(RunCanary());
//   if (!judge.problem().empty()) …       // the device must not be lent
//
// A run is slow if it takes more than 1.2 times as long as usual. A board whose
// clock rate is reduced by 30 % takes 1.35 to 1.43 times as long, and a busy
// machine seldom more than 1.1 times. A wrong answer is a problem at once;
// slowness is one after 3 slow runs in a row, because another program can
// disturb one run, but seldom three of them. A problem ends after 3 good runs
// in a row.
//
// The usual time is the median of the last 31 good runs, so that one run does
// not change it. Slow runs do not count. It must not follow a device that
// becomes slower little by little: it is at most 1.1 times the least median
// that there has been. The first 5 runs with the right answer are good whatever
// their time.
//
// The usual time is stored, because a server that is restarted on a throttled
// board must not take slow for usual. It is stored for one fingerprint and one
// version of the canary, and learned anew for others. If a device is slower for
// a good reason, for example a lower clock rate in its configuration, delete
// the file and restart the server.
#ifndef ASSAY_RPC_SERVER_HEALTH_CANARY_JUDGE_H_
#define ASSAY_RPC_SERVER_HEALTH_CANARY_JUDGE_H_

#include <cstdint>
#include <deque>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "rpc/server/health/canary.h"

namespace assay::rpc {

// Not thread-safe.
class CanaryJudge {
 public:
  // Reads the stored times, if `path` has any that are valid for `fingerprint`.
  // With an empty path, nothing is stored.
  CanaryJudge(std::string path, std::string fingerprint);

  // Judges one run. The times are written when the usual time has changed by
  // more than 1 %, so a device that stays the same seldom writes. Returns the
  // error of writing; the run was judged nevertheless.
  absl::Status Add(const CanaryResult& result);

  // Returns 0 before the first good run.
  int64_t usual_nanos() const;

  // Returns why the device must not be lent, or an empty string.
  const std::string& problem() const { return problem_; }

  // Returns true if the last run had the right answer and was not slow.
  bool last_was_good() const { return num_good_ > 0; }

  // Returns true if the next run should follow soon: there is a problem, the
  // last run was slow, or the usual time is not known yet.
  bool unsettled() const;

 private:
  void AddGood(int64_t nanos);
  void Parse(absl::string_view text);
  absl::Status StoreIfChanged();

  const std::string path_;
  const std::string fingerprint_;
  std::deque<int64_t> good_;  // the last good runs
  int64_t least_median_ = 0;  // 0 before there was one
  int64_t stored_usual_ = 0;
  int num_slow_ = 0;  // the last runs that were slow, in a row
  int num_good_ = 0;  // the last runs that were good, in a row
  std::string problem_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_HEALTH_CANARY_JUDGE_H_
