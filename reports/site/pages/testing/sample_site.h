// WriteSampleSite: writes the pages with synthetic data, for tests of the pages
// and to look at them.
#ifndef ASSAY_REPORTS_SITE_PAGES_TESTING_SAMPLE_SITE_H_
#define ASSAY_REPORTS_SITE_PAGES_TESTING_SAMPLE_SITE_H_

#include <string>

#include "absl/status/status.h"
#include "reports/site/pages/testing/sample.h"

namespace assay::reports::site {

// Writes the pages and the data of a Sample to `folder`. The devices are
// `host-x86` and `rpi3b`, the bisection is `night-7`.
absl::Status WriteSampleSite(const std::string& folder, const SampleSize& size);

}  // namespace assay::reports::site

#endif  // ASSAY_REPORTS_SITE_PAGES_TESTING_SAMPLE_SITE_H_
