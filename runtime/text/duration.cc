#include "runtime/text/duration.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "runtime/base/check.h"

namespace assay::runtime {

std::string FormatDuration(double seconds) {
  CHECK(std::isfinite(seconds) && seconds >= 0) << seconds;
  constexpr const char* kUnits[] = {"s", "ms", "µs", "ns"};
  double number = seconds;
  int unit = 0;
  // Four digits of the next unit round up to 1 from here.
  while (unit < 3 && number < 0.99995) {
    number *= 1000;
    ++unit;
  }
  // Digits before the decimal point, after rounding.
  int whole = 1;
  for (double bound = 9.9995; number >= bound && whole < 4; ++whole) {
    bound *= 10;
  }
  return absl::StrFormat("%.*f %s", 4 - whole, number, kUnits[unit]);
}

std::string HumanSeconds(double seconds) {
  if (seconds < 120) return absl::StrFormat("%.0f s", std::ceil(seconds));
  if (seconds < 2 * 3600) return absl::StrFormat("%.0f min", seconds / 60);
  return absl::StrFormat("%.1f h", seconds / 3600);
}

}  // namespace assay::runtime
