// CellFilter: which cells of the matrix are measured, for --cells.
//
// A cell is called `resnet18/host/fusion_on/threads_2` (`threads_all` where all
// there are were asked for); a pattern is matched with that name as a shell
// matches files, but that `*` stands for slashes, too.
#ifndef ASSAY_SUITES_HARNESS_CELL_FILTER_H_
#define ASSAY_SUITES_HARNESS_CELL_FILTER_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay::suites {

std::string CellName(absl::string_view model, absl::string_view device,
                     bool fusion, int threads);

// Whether one of the patterns does; without any, everything matches.
bool MatchesCell(const std::vector<std::string>& patterns,
                 const std::string& cell);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_CELL_FILTER_H_
