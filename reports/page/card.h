// CardHtml: the HTML of one cell of the page, and the data of its chart.
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

// Returns an `article` with the id `cell-<index>`.
std::string CardHtml(const Cell& cell, int64_t index,
                     absl::Span<const RunResult> history);

// The nights of a cell as columns with one value per night:
//   run     index into the history
//   median, lower, upper  milliseconds with four digits; null if unbounded
//   verdict index into Statuses()
// and, if there are any,
//   changes       [night, level before, level after]
//   environments  first nights after a change of the machine or its state
nlohmann::json ChartData(const Cell& cell);

// `<span class="badge s-regressed">...` with the status's symbol and name.
std::string BadgeHtml(const Status& status);

// `wrong output` for `wrong_output`.
std::string Words(absl::string_view name);

// `2024-05-01 12:00` for `2024-05-01T12:00:00Z`; other text is unchanged.
std::string Moment(const std::string& started_at);

// The start of the run and, if known, a prefix of its commit.
std::string NightName(const RunResult& run);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_CARD_H_
