// BackgroundLoad: threads that disturb a measurement like other tenants of a
// machine, to test the robustness of verdicts.
//
// There is one thread per usable CPU, pinned to it. It streams through more
// memory than a cache holds for a few milliseconds and then sleeps, with the
// duty cycle `duty`. Bursts and pauses vary randomly by up to a half, to avoid
// a beat with the samples.
#ifndef ASSAY_SUITES_COMPARISON_BACKGROUND_LOAD_H_
#define ASSAY_SUITES_COMPARISON_BACKGROUND_LOAD_H_

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace assay::suites {

class BackgroundLoad {
 public:
  // `duty` is in [0, 1]; with 0 there are no threads.
  BackgroundLoad(double duty, uint64_t seed);
  ~BackgroundLoad();
  BackgroundLoad(const BackgroundLoad&) = delete;
  BackgroundLoad& operator=(const BackgroundLoad&) = delete;

  // Fraction of the time since the start that the threads were busy.
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
