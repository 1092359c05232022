#include "suites/serve/arrivals.h"

#include <cmath>

#include "runtime/base/check.h"
#include "runtime/base/random.h"

namespace assay::suites {

std::vector<int64_t> PoissonArrivals(double rate_per_s, int64_t count,
                                     uint64_t seed) {
  CHECK(rate_per_s > 0) << "rate " << rate_per_s;
  Rng rng(SeedFor(seed, "arrivals"));
  std::vector<int64_t> arrivals;
  arrivals.reserve(static_cast<size_t>(count));
  double now_s = 0;
  for (int64_t i = 0; i < count; ++i) {
    // Uniform over (0, 1].
    const double u = (static_cast<double>(rng.NextU64() >> 11) + 1) * 0x1p-53;
    now_s -= std::log(u) / rate_per_s;
    arrivals.push_back(static_cast<int64_t>(now_s * 1e9));
  }
  return arrivals;
}

}  // namespace assay::suites
