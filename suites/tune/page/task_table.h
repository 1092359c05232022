// TaskTableHtml: the table of the tasks of a place, with one line per task.
//
// The table scrolls sideways on narrow screens. Numbers are in `data-value` of
// their cells, for sorting (tuning.js); missing numbers are empty there.
// Columns that need a peak or numbers of calls are left out if they are
// unknown.
#ifndef ASSAY_SUITES_TUNE_PAGE_TASK_TABLE_H_
#define ASSAY_SUITES_TUNE_PAGE_TASK_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "suites/tune/page/page_model.h"

namespace assay::suites {

// The line of task `i` has a link to the element with the id `ids[i]`.
std::string TaskTableHtml(const PagePlace& place,
                          const std::vector<std::string>& ids);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_PAGE_TASK_TABLE_H_
