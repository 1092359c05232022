// CellFilter: selects the cells of the matrix that are measured, for --cells.
//
// The name of a cell is `resnet18/host/fusion_on/threads_2`, or `threads_all`
// for all processors. Patterns are matched against it like file names in a
// shell, except that `*` also matches slashes.
#ifndef ASSAY_SUITES_HARNESS_CELL_FILTER_H_
#define ASSAY_SUITES_HARNESS_CELL_FILTER_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::suites {

std::string CellName(absl::string_view model, absl::string_view device,
                     bool fusion, int threads);

// Returns true if a pattern matches the cell, or if there are no patterns.
bool MatchesCell(const std::vector<std::string>& patterns,
                 const std::string& cell);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_CELL_FILTER_H_
