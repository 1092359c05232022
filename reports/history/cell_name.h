// CellName: identifies a cell across runs by the suite and by the key of the
// cell in it (reports/result/cell_key.h).
//
// A dimension of the variant that has its default value has the number -1, so
// that names are ordered with the defaults first.
#ifndef ASSAY_REPORTS_HISTORY_CELL_NAME_H_
#define ASSAY_REPORTS_HISTORY_CELL_NAME_H_

#include <string>
#include <tuple>
#include <vector>

#include "reports/result/run_result.h"

namespace assay::reports {

// Suite, model, device, the value of each dimension, threads.
using CellName =
    std::tuple<std::string, std::string, std::string, std::vector<int>, int>;

CellName NameOf(const Row& row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_HISTORY_CELL_NAME_H_
