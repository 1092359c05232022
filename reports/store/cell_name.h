// CellNameOf: the name of a cell in a store.
//
// The name is that of the flag --cells (suites/harness/cell_filter.h) after the
// suite, for example `resnet18/resnet18/host/fusion_on/threads_2`. It does not
// name the machine: the same cell may be measured on several.
#ifndef ASSAY_REPORTS_STORE_CELL_NAME_H_
#define ASSAY_REPORTS_STORE_CELL_NAME_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

std::string CellNameOf(const Row& row);

// Returns true if `cell`, the name of a cell, matches `pattern`: a shell
// pattern for file names, except that `*` and `?` also match slashes.
bool MatchesCellName(const std::string& pattern, const std::string& cell);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_CELL_NAME_H_
