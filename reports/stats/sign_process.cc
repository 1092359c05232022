#include "reports/stats/sign_process.h"

#include <algorithm>
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

int64_t CriticalSignCount(int64_t count, double log_e, double concentration) {
  int64_t fails = -1;
  int64_t fits = count + 1;
  while (fits - fails > 1) {
    const int64_t above = (fits + fails) / 2;
    (LogSignEValue(above, count, concentration) >= log_e ? fits : fails) =
        above;
  }
  return fits;
}

SignProcess::SignProcess(double m, double concentration)
    : m_(m), concentration_(concentration) {
  CHECK(std::isfinite(m)) << m;
  CHECK_GT(concentration, 0);
}

void SignProcess::Add(double sample) {
  CHECK(!std::isnan(sample));
  ++count_;
  above_ += sample > m_;
  below_ += sample < m_;
  log_e_above_ = LogSignEValue(above_, count_, concentration_);
  log_e_below_ = LogSignEValue(below_, count_, concentration_);
  max_log_e_above_ = std::max(max_log_e_above_, log_e_above_);
  max_log_e_below_ = std::max(max_log_e_below_, log_e_below_);
}

double SignProcess::log_e_two_sided() const {
  const double larger = std::max(log_e_above_, log_e_below_);
  const double smaller = std::min(log_e_above_, log_e_below_);
  return larger + std::log1p(std::exp(smaller - larger)) - std::log(2.0);
}

}  // namespace assay::stats
