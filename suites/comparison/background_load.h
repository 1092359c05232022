// BackgroundLoad: threads that disturb a measurement on purpose, as other tenants
// of a machine do, to see what is left of a verdict beside them.
//
// One per processor that this process may run on, bound to it: it streams
// through more memory than a cache holds for a few milliseconds, then sleeps,
// so that it is busy for `duty` of the time; bursts and pauses vary at random
// by half, lest they fall in step with the samples.
#ifndef ASSAY_SUITES_COMPARISON_BACKGROUND_LOAD_H_
#define ASSAY_SUITES_COMPARISON_BACKGROUND_LOAD_H_

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace assay::suites {

class BackgroundLoad {
 public:
  // None where `duty` is 0; at most 1.
  BackgroundLoad(double duty, uint64_t seed);
  ~BackgroundLoad();
  BackgroundLoad(const BackgroundLoad&) = delete;
  BackgroundLoad& operator=(const BackgroundLoad&) = delete;

  // The share of the time since they began that they were busy, mean over all.
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
