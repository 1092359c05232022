// BackgroundLoad: threads that disturb a measurement on purpose, as other
// tenants of a machine do, in order to test verdicts under load.
//
// There is one pinned thread per processor of this process. It accesses more
// memory than a cache holds for a few milliseconds and then sleeps, so that it
// is busy for the fraction `duty` of the time. Bursts and pauses vary randomly
// by half, so that they do not synchronize with the samples.
#ifndef ASSAY_SUITES_COMPARISON_BACKGROUND_LOAD_H_
#define ASSAY_SUITES_COMPARISON_BACKGROUND_LOAD_H_

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace assay::suites {

class BackgroundLoad {
 public:
  // `duty` is at most 1; 0 starts no threads.
  BackgroundLoad(double duty, uint64_t seed);
  ~BackgroundLoad();
  BackgroundLoad(const BackgroundLoad&) = delete;
  BackgroundLoad& operator=(const BackgroundLoad&) = delete;

  // Returns the average fraction of the time since the start that the threads
  // were busy.
  double MeasuredDuty() const;
  int count() const { return static_cast<int>(threads_.size()); }

 private:
  void Disturb(int processor, double duty, uint64_t seed);

  std::atomic<bool> stop_{false};
  std::atomic<int64_t> busy_nanos_{0};
  const int64_t start_nanos_;
  std::vector<std::thread> threads_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_BACKGROUND_LOAD_H_
