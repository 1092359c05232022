// PageFiles: the pages of the site of a store, which are the same for every
// store.
//
//   for (const PageFile& file : PageFiles()) {
//     ASSAY_RETURN_IF_ERROR(
//         WriteFileAtomic(JoinPath(folder, file.name), file.contents));
//   }
//
// The pages are
//   index.html            what needs attention, and a list of all cells
//   cell.html#ID          the history of a cell
//   commit.html#SHA       all cells before and after a commit
//   device.html#KEY       the health of a device
//   compare.html#A,B      two runs, cell by cell
//   bisection.html#NAME   a report of //ci:bisect
//
// They read the data of the store from scripts in the folder `data` beside
// them, with names that the fragment of the address determines after it was
// checked. A page works from `file://` and over HTTP, without a network, and
// its content security policy forbids inline scripts and all connections.
#ifndef ASSAY_REPORTS_SITE_PAGES_PAGES_H_
#define ASSAY_REPORTS_SITE_PAGES_PAGES_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::reports::site {

// The number of nights in the small history of a cell on the front page
// (`spark` of data/front.js).
constexpr int kSparkNights = 32;

// The number of cells whose newest nights are in one file of data/tails.
constexpr int kTailCells = 100;

struct PageFile {
  absl::string_view name;
  absl::string_view contents;
};

// Returns all files, in alphabetical order of their names.
absl::Span<const PageFile> PageFiles();

}  // namespace assay::reports::site

#endif  // ASSAY_REPORTS_SITE_PAGES_PAGES_H_
