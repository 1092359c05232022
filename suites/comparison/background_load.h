// BackgroundLoad: runs threads that disturb a measurement on purpose, like
// other processes on the machine, in order to test verdicts under load.
//
// There is one thread for each processor in the affinity mask of this process,
// pinned to the processor. A thread alternates between bursts, in which it
// accesses an array of 16 MiB for about 5 ms, and pauses, in which it sleeps.
// It is busy for the fraction `duty` of the time. The lengths of bursts and
// pauses vary randomly by up to 50 %, so that they do not synchronise with the
// samples.
#ifndef ASSAY_SUITES_COMPARISON_BACKGROUND_LOAD_H_
#define ASSAY_SUITES_COMPARISON_BACKGROUND_LOAD_H_

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace assay::suites {

class BackgroundLoad {
 public:
  // Requires `duty` <= 1. Starts no threads if `duty` <= 0.
  BackgroundLoad(double duty, uint64_t seed);
  ~BackgroundLoad();
  BackgroundLoad(const BackgroundLoad&) = delete;
  BackgroundLoad& operator=(const BackgroundLoad&) = delete;

  // Returns the fraction of the time since the constructor in which a thread
  // was busy, averaged over the threads; 0 if there are no threads.
  double MeasuredDuty() const;
  // Returns the number of threads.
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
