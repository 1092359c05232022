#include "reports/render/format_ratio.h"

#include "absl/strings/str_format.h"

namespace assay::reports {

std::string FormatRatio(const stats::Ratio& ratio) {
  const std::string value = stats::Distinguishable(ratio)
                                ? absl::StrFormat("%.2f", ratio.value)
                                : "not distinguishable";
  return absl::StrFormat("%s [%.2f, %.2f]", value, ratio.lower, ratio.upper);
}

}  // namespace assay::reports
