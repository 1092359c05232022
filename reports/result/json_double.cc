#include "reports/result/json_double.h"

#include <cmath>

namespace assay::reports {

Json FromDouble(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

}  // namespace assay::reports
