// EventJson: an event in the files of cells and commits.
#ifndef ASSAY_REPORTS_SITE_EVENT_DATA_H_
#define ASSAY_REPORTS_SITE_EVENT_DATA_H_

#include "reports/site/data_script.h"
#include "reports/site/site_model.h"

namespace assay::reports {

// Returns the members `night`, `metric`, `causes`, `what`, `change`, `lower`,
// `upper`, `published`, `reason`, `commit_before` and `commit`, and `shift` if
// it is one.
SiteJson EventJson(const SiteModel& model, const SiteEvent& event);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_EVENT_DATA_H_
