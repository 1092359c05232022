// RenderPage: renders the nightly runs as one self-contained HTML file, which
// needs no server, no network and no other file.
//
// The top shows date and machine, how many cells were judged and why the others
// were not, and the number of cells per verdict. Below is a card for each cell:
// verdict and reason, median with its interval, a chart of the history with
// confidence bands, level shifts and changes of the machine, and the command
// that repeats the measurement. page_model.h defines these terms.
//
// All text is in the HTML. A script adds charts (uPlot), filters by suite,
// model and verdict, and copy buttons. The page supports screens from 360
// pixels, light and dark colour schemes, and keyboard navigation, and never
// conveys information by colour alone.
//
// Text in results comes from model files and is not trusted: it is escaped, and
// the content security policy allows only the two embedded scripts, by digest,
// and no loading of resources.
//
// The size is at most kPageBytes, plus kCardBytes per card (for reasons and
// commands of usual length), plus kNightBytes per night of each card.
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

// `history` is ordered from oldest to newest. The output is deterministic.
std::string RenderPage(absl::Span<const RunResult> history);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_PAGE_PAGE_H_
