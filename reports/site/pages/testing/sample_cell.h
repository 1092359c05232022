// The files of the cells of a sample site.
#ifndef ASSAY_REPORTS_SITE_PAGES_TESTING_SAMPLE_CELL_H_
#define ASSAY_REPORTS_SITE_PAGES_TESTING_SAMPLE_CELL_H_

#include "reports/site/pages/testing/sample.h"

namespace assay::reports::site {

// data/cells/CELL.js: the older nights.
Json CellFile(const Sample& sample, int cell);

// data/tails/GROUP.js: the newest nights of a group of cells, and what is known
// about each cell.
Json TailFile(const Sample& sample, int group);

// The event of the change of a cell's program in `night`.
Json ChangeEvent(const Sample& sample, int cell, int night);

}  // namespace assay::reports::site

#endif  // ASSAY_REPORTS_SITE_PAGES_TESTING_SAMPLE_CELL_H_
