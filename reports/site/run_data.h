// RunScript: data/runs/N.js, the median and the verdict of each cell in a run.
#ifndef ASSAY_REPORTS_SITE_RUN_DATA_H_
#define ASSAY_REPORTS_SITE_RUN_DATA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reports/site/site_model.h"

namespace assay::reports {

std::string RunScript(const SiteModel& model, uint32_t run);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_RUN_DATA_H_
