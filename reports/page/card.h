// CardHtml: one cell of the page, and what its chart is drawn from.
#ifndef ASSAY_REPORTS_PAGE_CARD_H_
#define ASSAY_REPORTS_PAGE_CARD_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "nlohmann/json.hpp"
#include "reports/page/page_model.h"
#include "reports/render/run_result.h"

namespace assay::reports {

// An `article` with the id `cell-<index>`.
std::string CardHtml(const Cell& cell, int64_t index,
                     absl::Span<const RunResult> history);

// The nights of a cell, by columns, a value for each:
//   run     index into the history
//   median, lower, upper  milliseconds to four digits; null for no bound
//   verdict index into Statuses()
// and, if there are any,
//   changes       [night, level before, level after]
//   environments  nights before which the machine or its state changed
nlohmann::json ChartData(const Cell& cell);

// `<span class="badge s-regressed">...`: symbol and words.
std::string BadgeHtml(const Status& status);

// `wrong output` for `wrong_output`.
std::string Words(absl::string_view name);

// `2024-05-01 12:00` for `2024-05-01T12:00:00Z`, anything else as it is.
std::string Moment(const std::string& started_at);

// That and, where it is known, how the commit begins.
std::string NightName(const RunResult& run);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_CARD_H_
