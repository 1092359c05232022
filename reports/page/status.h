// Status: the status of a cell of the page of nightly runs (page_model.h), and
// how it is shown. The page of the tuner shows its verdicts in the same way.
//
// A status is a verdict (reports/stats/verdict.h), or `not_run` for a cell that
// the newest run of its suite does not have.
#ifndef ASSAY_REPORTS_PAGE_STATUS_H_
#define ASSAY_REPORTS_PAGE_STATUS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::reports {

constexpr absl::string_view kNotRun = "not_run";

struct Status {
  // The name of the verdict (stats::VerdictName), or `not_run`.
  absl::string_view name;
  // A character that identifies the status without colour.
  absl::string_view symbol;
  // The reason why the status is not a judgement of the program, as a clause.
  // Empty if the status is a judgement.
  absl::string_view why_not_judged;

  bool judged() const { return why_not_judged.empty(); }
};

// Returns all statuses in the order of severity, the most severe one first.
absl::Span<const Status> Statuses();

// Returns the status with the given name. CHECK-fails if there is none.
const Status& StatusOf(absl::string_view name);

// Returns a `span` element with the classes `badge` and `s-<name>` that shows
// the symbol and the name of the status.
std::string BadgeHtml(const Status& status);

// Replaces underscores by spaces: returns `wrong output` for `wrong_output`.
std::string Words(absl::string_view name);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_STATUS_H_
