// AttributionTable: where a change of a row comes from, as a terminal table.
#ifndef ASSAY_REPORTS_RENDER_ATTRIBUTION_TABLE_H_
#define ASSAY_REPORTS_RENDER_ATTRIBUTION_TABLE_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

// A line for each piece of the model whose kernels changed beyond doubt, the
// largest change first, the others as one, and the sum of all beside the change
// of whole inferences. Empty if nothing was attributed.
std::string AttributionTable(const Row& row);

// `k007_conv2d_relu (layer1.0.conv1, layer1.0.relu)`: the kernels of the run,
// or those of the base if there are none any more, and whether both are known
// to be the same machine code.
std::string KernelName(const KernelChange& change);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_ATTRIBUTION_TABLE_H_
