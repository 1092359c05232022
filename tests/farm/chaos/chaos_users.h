// ChaosUsers: processes that compare programs on a farm (chaos_client.cc).
#ifndef ASSAY_TESTS_FARM_CHAOS_CHAOS_USERS_H_
#define ASSAY_TESTS_FARM_CHAOS_CHAOS_USERS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "rpc/farm/child.h"
#include "tests/farm/chaos/chaos_farm.h"
#include "tests/farm/chaos/tools/user_log.h"

namespace assay {

class ChaosUsers {
 public:
  ChaosUsers(ChaosFarm* farm, int number, uint64_t seed)
      : farm_(farm), seed_(seed), processes_(static_cast<size_t>(number)) {}

  int number() const { return static_cast<int>(processes_.size()); }
  // Starts all that do not run.
  absl::Status Start();
  // Kills a user, and starts the next one in its place.
  absl::Status Restart(int user);
  void StopAll();

  // Counts users that have ended by themselves, and starts others.
  absl::Status Check();
  int failed() const { return failed_; }
  const std::string& first_failure() const { return first_failure_; }

  std::vector<UserLog> Logs() const;
  // The device that a user measures on, or an empty text.
  std::string DeviceOf(int user) const;
  // A device that a user measures on; of `among` if it is not empty. Waits for
  // at most five seconds.
  std::string BusyDevice(uint64_t draw, const std::vector<std::string>& among);
  // Waits until each user has a new verdict, for at most `seconds`. Returns the
  // number of users that have none.
  int CountStuck(double seconds);

 private:
  absl::Status StartOne(size_t user);
  std::string PathOf(size_t user, const std::string& suffix) const;

  ChaosFarm* const farm_;
  uint64_t seed_;
  std::vector<std::unique_ptr<rpc::Child>> processes_;
  int failed_ = 0;
  std::string first_failure_;
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_CHAOS_USERS_H_
