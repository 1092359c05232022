// FindCapacity: the largest rate of queries at which a percentile of the
// latency is within a bound.
//
// The search first looks for a rate that is too high and one that is not, by
// doubling or halving, and then halves the ratio between the two until it is
// smaller than the resolution. Each probe is a whole run. As a run can be
// lucky, the rate that is found is then *confirmed* by several runs with other
// arrivals. If one of them misses the bound, the rate is lowered by the
// resolution and confirmed again. The result is thus a rate that the servers
// sustain, and not the largest one that once succeeded.
#ifndef ASSAY_SUITES_SERVE_CAPACITY_SEARCH_H_
#define ASSAY_SUITES_SERVE_CAPACITY_SEARCH_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::suites {

struct CapacityOptions {
  // The first probe. It should be below the capacity, but not far.
  double first_rate = 1;
  // The search fails if no rate down to this one meets the bound.
  double smallest_rate = 0.01;
  // The capacity lies between the result and the result times
  // (1 + resolution).
  double resolution = 0.03;
  int confirmations = 2;
};

struct Probe {
  double rate = 0;
  bool met = false;  // the percentile was within the bound
  bool confirms = false;
};

struct Capacity {
  double rate = 0;  // 0 if no rate meets the bound
  std::vector<Probe> probes;
};

// Runs at a rate and returns true if the bound was met. `run` is the number of
// earlier runs, for a seed. `confirms` is true if the rate has been found.
using ProbeRate = std::function<absl::StatusOr<bool>(double rate, int64_t run,
                                                     bool confirms)>;

// Returns the errors of `probe`.
absl::StatusOr<Capacity> FindCapacity(const ProbeRate& probe,
                                      const CapacityOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SERVE_CAPACITY_SEARCH_H_
