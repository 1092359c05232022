// RunScript: data/runs/N.js, the median and the verdict of each cell in a run.
#ifndef ASSAY_REPORTS_SITE_RUN_DATA_H_
#define ASSAY_REPORTS_SITE_RUN_DATA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "reports/site/site_model.h"

namespace assay::reports {

// The rows of a run: medians by ID, NaN if there is none, and numbers of
// statuses, 255 if there is no row.
struct RunColumns {
  std::vector<float> medians;
  std::vector<uint8_t> statuses;
};

// Returns the columns of the runs for which `wanted` is true; the others are
// empty.
std::vector<RunColumns> ColumnsOfRuns(const SiteModel& model,
                                      const std::vector<bool>& wanted);

std::string RunScript(const SiteModel& model, uint32_t run,
                      const RunColumns& columns);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_RUN_DATA_H_
