// Promises: what a tracker promises before it is killed, and whether it keeps
// the promises when it has started again.
//
//   Promises promises(&farm);
//   ASSAY_RETURN_IF_ERROR(promises.Make());
//   … kill the tracker and start it again …
//   promises.Check();
//
// A lease of `probe` is held, and three requests wait for it in a known order.
// After the restart, the lease can be renewed, the requests get their places
// back, and all new tokens are higher than those before.
#ifndef ASSAY_TESTS_FARM_CHAOS_PROMISES_H_
#define ASSAY_TESTS_FARM_CHAOS_PROMISES_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "tests/farm/chaos/chaos_farm.h"
#include "tests/farm/chaos/tools/raw_client.h"

namespace assay {

class Promises {
 public:
  explicit Promises(ChaosFarm* farm) : farm_(farm) {}
  ~Promises() { Join(); }

  absl::Status Make();
  void Check();

  int64_t made() const { return made_; }
  int64_t lost() const { return lost_; }
  const std::string& first_loss() const { return first_loss_; }

 private:
  // A request of a thread of its own, which asks until it has a lease.
  struct Waiter {
    std::string ticket;
    std::atomic<int> attempt{0};
    std::atomic<int> placed{0};  // the last attempt that was told its place
    std::atomic<int64_t> token{-1};
    std::thread thread;
  };

  void Wait(Waiter* waiter);
  void Lose(const std::string& what);
  void Join();

  ChaosFarm* const farm_;
  std::unique_ptr<RawClient> client_;
  RawLease lease_;
  std::vector<std::unique_ptr<Waiter>> waiters_;
  std::atomic<bool> stop_{false};
  int64_t rounds_ = 0;
  int64_t last_token_ = -1;
  int64_t made_ = 0;
  int64_t lost_ = 0;
  std::string first_loss_;
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_CHAOS_PROMISES_H_
