// TailSequence: tests if the slow inferences of one program (`run`) have become
// slower or more frequent than those of another one (`base`), although typical
// inferences have not, for example because of a lock that is rarely contended.
//
// Both programs are measured in loads (suites/comparison/paired_loads.h), in
// which their samples alternate, and each sample is one inference. Within a
// load, the times of both programs are divided by the median of all of them.
// For each of a few levels (kTailLevels), the *threshold* is the quantile of
// this level of the divided times of both programs in all loads so far, but at
// least kLeastThreshold, so that a difference of typical inferences within the
// margin does not count as a slower tail. The observation D of a load is the
// number of slow inferences, i.e. of those above the threshold, of `run`, minus
// that of `base`.
//
// If both programs are the same, exchanging their names within a load changes
// the sign of D and nothing else: medians and thresholds are those of both
// programs together, and everything that distinguishes two equal programs in a
// load is drawn symmetrically (paired_loads.h). So D is as likely as -D, given
// |D| and the past, whatever bursts, neighbours and drifts there are, and
//   exp(k D) / cosh(k D)
// has the expected value 1 for each k. The product over the loads, averaged
// over the levels and a few k, is an e-process. By Ville's inequality, the
// probability that it ever reaches 1 / alpha is at most alpha. The test may
// therefore be read after each load, and more loads may be taken because of
// what it says.
//
// A load multiplies the evidence by 2 at most, however many slow inferences it
// has, because slow inferences of a load may have one cause.
#ifndef ASSAY_REPORTS_STATS_TAIL_SEQUENCE_H_
#define ASSAY_REPORTS_STATS_TAIL_SEQUENCE_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"

namespace assay::stats {

constexpr std::array<double, 3> kTailLevels = {0.9, 0.95, 0.98};
constexpr double kLeastThreshold = 1.05;

// The evidence of the loads so far, at the level where it is largest.
struct TailEvidence {
  int64_t inferences = 0;  // of each program
  // Logarithm of the e-process. Zero means that nothing is known.
  double log_e = 0;
  // Slow inferences of each program, and the threshold, in multiples of the
  // typical time.
  int64_t base_slow = 0;
  int64_t run_slow = 0;
  double threshold = 0;
};

bool operator==(const TailEvidence& a, const TailEvidence& b);

// Returns e.g. `the tail is slower: 31 of 960 inferences took more than 1.18
// times the typical time, against 2 of the other program`.
std::string Describe(const TailEvidence& evidence);

class TailSequence {
 public:
  // Adds a load, with the times of single inferences in any unit. CHECK-fails
  // unless both have the same number of times, all positive.
  void Add(absl::Span<const double> base, absl::Span<const double> run);

  TailEvidence Evidence() const;

 private:
  static constexpr std::array<double, 4> kRates = {0.25, 0.5, 1, 2};

  struct Level {
    double threshold = 0;
    int64_t base_slow = 0;
    int64_t run_slow = 0;
    std::array<double, kRates.size()> log_e = {};
  };

  int64_t inferences_ = 0;
  // The divided times of both programs in all loads, sorted.
  std::vector<double> divided_;
  std::array<Level, kTailLevels.size()> levels_;
};

}  // namespace assay::stats

#endif  // ASSAY_REPORTS_STATS_TAIL_SEQUENCE_H_
