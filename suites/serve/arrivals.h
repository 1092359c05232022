// PoissonArrivals: the times at which the queries of a server arrive.
//
// Queries of many independent users arrive as a Poisson process: the gaps
// between them are independent and exponentially distributed, so queries come
// in bunches, whatever the mean rate is. The times are drawn before the first
// query and do not depend on how fast queries are served.
#ifndef ASSAY_SUITES_SERVE_ARRIVALS_H_
#define ASSAY_SUITES_SERVE_ARRIVALS_H_

#include <cstdint>
#include <vector>

namespace assay::suites {

// Returns the times of `count` arrivals in nanoseconds after the start, in
// ascending order. The first one follows a gap, too. Equal arguments give equal
// times. Requires `rate_per_s` > 0.
std::vector<int64_t> PoissonArrivals(double rate_per_s, int64_t count,
                                     uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SERVE_ARRIVALS_H_
