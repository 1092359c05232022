// FormatRatio: the text of a ratio with its interval, for tables and remarks.
#ifndef ASSAY_REPORTS_RENDER_FORMAT_RATIO_H_
#define ASSAY_REPORTS_RENDER_FORMAT_RATIO_H_

#include <string>

#include "reports/stats/ratio.h"

namespace assay::reports {

// Returns the ratio with its interval, for example `1.12 [1.08, 1.15]`. If the
// interval contains 1, returns `not distinguishable [0.99, 1.09]` instead.
// Numbers have two decimals; whether the interval contains 1 is decided before
// rounding.
std::string FormatRatio(const stats::Ratio& ratio);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_FORMAT_RATIO_H_
