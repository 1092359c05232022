// CardHtml and ChartData: render one cell of the page of nightly runs
// (page_model.h). CardHtml returns the HTML, and ChartData returns the data of
// the chart as JSON.
#ifndef ASSAY_REPORTS_PAGE_CARD_H_
#define ASSAY_REPORTS_PAGE_CARD_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "nlohmann/json.hpp"
#include "reports/page/page_model.h"
#include "reports/result/run_result.h"

namespace assay::reports {

// Returns the card of the cell, an `article` element with the id
// `cell-<index>`. `history` must be the history from which BuildPageModel()
// created `cell`.
std::string CardHtml(const Cell& cell, int64_t index,
                     absl::Span<const RunResult> history);

// Returns a JSON object with the data of the chart. These members are arrays
// with one element per night of the cell (page_model.h explains a night):
//   run           index into the history
//   median        milliseconds, rounded to four significant digits
//   lower, upper  bounds of the confidence interval in milliseconds, rounded to
//                 four significant digits; null if there is no interval
//   verdict       index into Statuses()
// These members are present only if they are not empty:
//   changes       an array [night, level before, level after, text] for each
//                 element of Cell::levels; the text is a sign and, if it is
//                 known, the change
//   environments  an array [night, sign] for each change of the method, of the
//                 machine or of its state
nlohmann::json ChartData(const Cell& cell);

// Returns `2024-05-01 12:00` for `2024-05-01T12:00:00Z`. Text in any other
// format is returned unchanged.
std::string Moment(const std::string& started_at);

// Returns the start time of the run and, if the commit is known, the first ten
// characters of the commit.
std::string NightName(const RunResult& run);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_CARD_H_
