// MatchesCell: implements the flag --cells, which selects the cells of the
// matrix that are measured. A cell is one combination of model, device, variant
// and number of threads.
//
// The name of a cell is, for example, `resnet18/host/fusion_on/threads_2`, or,
// if it is tuned, `resnet18/host/fusion_on/tuned/threads_2`. The last part is
// `threads_all` if the number of threads is 0, which stands for all processors.
// The patterns of the flag have the syntax of shell patterns for file names,
// except that `*` and `?` also match slashes.
#ifndef ASSAY_SUITES_HARNESS_CELL_FILTER_H_
#define ASSAY_SUITES_HARNESS_CELL_FILTER_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "reports/result/variant.h"

namespace assay::suites {

std::string CellName(absl::string_view model, absl::string_view device,
                     const reports::Variant& variant, int threads);

// Returns true if a pattern matches `cell`, the name of a cell, or if there are
// no patterns.
bool MatchesCell(const std::vector<std::string>& patterns,
                 const std::string& cell);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_CELL_FILTER_H_
