#include "reports/stats/sign_process.h"

#include <cmath>

#include "reports/stats/binomial.h"
#include "runtime/base/check.h"

namespace assay::stats {

double LogSignEValue(int64_t above, int64_t count, double concentration) {
  CHECK(above >= 0 && above <= count) << above << " of " << count;
  const double a = concentration + static_cast<double>(above);
  const double b = concentration + static_cast<double>(count - above);
  return static_cast<double>(count + 1) * std::log(2.0) + LogBeta(a, b) -
         LogBeta(concentration, concentration) + LogRegularizedBeta(b, a, 0.5);
}

}  // namespace assay::stats
