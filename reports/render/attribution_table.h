// AttributionTable: the kernels that a change of a row comes from, as a table.
#ifndef ASSAY_REPORTS_RENDER_ATTRIBUTION_TABLE_H_
#define ASSAY_REPORTS_RENDER_ATTRIBUTION_TABLE_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

// One line for each part of the model whose kernels changed significantly, in
// decreasing order of the change, one line for all others, and the sum next to
// the change of whole inferences. Empty if nothing was attributed.
std::string AttributionTable(const Row& row);

// `k007_conv2d_relu (layer1.0.conv1, layer1.0.relu)`: the kernels of the run,
// or those of the base if the run has none, and a mark if both are known to be
// the same machine code.
std::string KernelName(const KernelChange& change);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_ATTRIBUTION_TABLE_H_
