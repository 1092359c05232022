// RenderPage: renders the nightly runs as one self-contained HTML file. The
// file needs no server, no network and no other file.
//
// The top of the page shows
//   - the date of the newest run and its machine;
//   - the number of cells that were judged, and the reasons why the remaining
//     cells were not judged;
//   - the number of cells per verdict.
// A card for each cell follows. It shows
//   - the verdict and its reason;
//   - the median latency with its confidence interval;
//   - a chart of the history with confidence intervals and with the changes of
//     the program, of the method and of the machine;
//   - the command that repeats the measurement.
// page_model.h defines these terms.
//
// The page is readable without JavaScript, except the charts and the tables of
// nights. A script draws the charts (uPlot), fills the tables of nights,
// filters the cells by suite, model and verdict, and copies commands. The page
// supports screens that are at least 360 pixels wide, light and dark colour
// schemes, and keyboard navigation. The page never conveys information by
// colour alone.
//
// Results contain text from model files, which is not trusted. All text is
// escaped. The content security policy allows only the embedded scripts and
// style sheets, which it identifies by their digests, and forbids the loading
// of any other resource.
//
// The size of the page is at most kPageBytes, plus kCardBytes per card, plus
// kNightBytes per night of each card. Cards with very long reasons or commands
// may exceed this limit.
#ifndef ASSAY_REPORTS_PAGE_PAGE_H_
#define ASSAY_REPORTS_PAGE_PAGE_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "reports/result/run_result.h"

namespace assay::reports {

constexpr int64_t kPageBytes = 90'000;
constexpr int64_t kCardBytes = 5'000;
constexpr int64_t kNightBytes = 40;

// Returns the HTML text. `history` must be ordered from oldest to newest. The
// result is a deterministic function of `history`.
std::string RenderPage(absl::Span<const RunResult> history);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_PAGE_H_
