// BackgroundLoad: threads that disturb a measurement on purpose, like other
// processes on the machine, in order to test verdicts under load.
//
// A thread alternates between bursts, in which it accesses an array of 16 MiB,
// and pauses, in which it sleeps. The lengths of bursts and pauses vary
// randomly by up to 50 %, so that they do not synchronise with the samples. The
// kinds of load are
//   idle      no threads
//   steady    one thread that never pauses and that the scheduler may move
//   bursts    a thread on each processor of the affinity mask, with bursts of
//             5 ms, busy for a quarter of the time
//   one_core  a thread on the first processor of the affinity mask, with bursts
//             of 5 ms, busy for half of the time
#ifndef ASSAY_SUITES_TRIALS_BACKGROUND_LOAD_H_
#define ASSAY_SUITES_TRIALS_BACKGROUND_LOAD_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::suites {

// Returns the names of the kinds.
std::vector<std::string> BackgroundLoadNames();

class BackgroundLoad {
 public:
  // CHECK-fails if there is no such kind.
  BackgroundLoad(absl::string_view kind, uint64_t seed);
  ~BackgroundLoad();
  BackgroundLoad(const BackgroundLoad&) = delete;
  BackgroundLoad& operator=(const BackgroundLoad&) = delete;

  // Returns the fraction of the time since the constructor in which a thread
  // was busy, averaged over the threads; 0 if there are no threads. The time in
  // which a thread waits for a processor counts as busy.
  double MeasuredDuty() const;
  // Returns the number of threads.
  int count() const { return static_cast<int>(threads_.size()); }

 private:
  void Disturb(std::optional<int> processor, double duty, uint64_t seed);

  std::atomic<bool> stop_{false};
  std::atomic<int64_t> busy_nanos_{0};
  const int64_t start_nanos_;
  std::vector<std::thread> threads_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TRIALS_BACKGROUND_LOAD_H_
