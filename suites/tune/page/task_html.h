// TaskTableHtml: the table of the tasks of a place, with one line per task.
//
// The table scrolls sideways on narrow screens. Numbers are in `data-value` of
// their cells, for sorting (tuning.js); missing numbers are empty there.
// Columns that need the peak of the device or the numbers of calls are left out
// if these are unknown.
//
// TaskCardHtml: the card of one task on the page of a tuning run. It shows
//   - the name and the verdict on the accepted point;
//   - the times of the default point and of the best trial;
//   - the curve (curve.h);
//   - in sections that are closed at first: the last points that were faster
//     than all points before them, with their configurations; the failures by
//     class, each class with its first message; and the workload.
// Long texts are cut.
#ifndef ASSAY_SUITES_TUNE_PAGE_TASK_HTML_H_
#define ASSAY_SUITES_TUNE_PAGE_TASK_HTML_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "suites/tune/page/curve.h"
#include "suites/tune/page/page_model.h"

namespace assay::suites {

// The line of task `i` has a link to the element with the id `ids[i]`.
std::string TaskTableHtml(const PagePlace& place,
                          const std::vector<std::string>& ids);

// Returns an `article` element with the id `id`.
std::string TaskCardHtml(const PageTask& task, const PagePlace& place,
                         absl::string_view id,
                         const ImplementationClasses& classes);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_PAGE_TASK_HTML_H_
