// RenderPage: the nightly runs as one HTML file, which needs nothing else: no
// server, no network, no other file.
//
// On top: how many cells were judged and, of the others, why not; how many have
// which verdict; when and on which machine. Then a card for each cell: verdict
// and reason, median with its interval, the history as a chart with bands,
// where its level changed and where the machine did, and the command that
// measures it again. What the numbers mean is said in page_model.h.
//
// All that is text is in the HTML; a script adds what takes one: charts
// (uPlot), filters by suite, model and verdict, a button that copies. The page
// fits a phone of 360 pixels, follows the reader's choice of light or dark, can
// be used by keyboard alone, and says nothing by colour that it does not say by
// a sign or a word.
//
// Text in results comes from model files, so it is not trusted: it is escaped,
// and the page's content security policy runs the two scripts it was made with,
// by their digests, and loads nothing.
//
// Size: at most kPageBytes, kCardBytes for each card (if its reason and its
// command are of usual length) and kNightBytes for each of its nights.
#ifndef ASSAY_REPORTS_PAGE_PAGE_H_
#define ASSAY_REPORTS_PAGE_PAGE_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "reports/render/run_result.h"

namespace assay::reports {

constexpr int64_t kPageBytes = 90'000;
constexpr int64_t kCardBytes = 5'000;
constexpr int64_t kNightBytes = 40;

// `history` is oldest first. The same history gives the same bytes.
std::string RenderPage(absl::Span<const RunResult> history);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_PAGE_H_
