// AttributionTable: renders, as a plain-text table, how much each kernel
// contributes to the change of a row (result/comparison.h, Attribution).
#ifndef ASSAY_REPORTS_RENDER_ATTRIBUTION_TABLE_H_
#define ASSAY_REPORTS_RENDER_ATTRIBUTION_TABLE_H_

#include <string>

#include "reports/result/run_result.h"

namespace assay::reports {

// Returns a table with these lines, or an empty string if the row has no
// attribution:
//   - one line for each part of the model whose kernels changed significantly,
//     in decreasing order of the absolute change, followed by lines with the
//     work and the cause (KernelChange::work and cause) if they are known;
//   - one line with the sum of the insignificant changes in parts whose machine
//     code differs or is unknown;
//   - one line with the sum of the insignificant changes in parts whose machine
//     code is the same;
//   - the sum of all changes;
//   - the change of whole inferences.
std::string AttributionTable(const Row& row);

// Returns, for example, `more work: instructions +3.0 %, bytes +0.0 %`.
std::string WorkText(const WorkCounts& work);

// Returns the names of the kernels and of the nodes that they compute, for
// example `k007_conv2d_relu (layer1.0.conv1, layer1.0.relu)`. Names the kernels
// of the run or, if the run has none for this part, the kernels of the base. If
// `change.same_code` is true, the text ends in `, the same machine code`.
std::string KernelName(const KernelChange& change);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_ATTRIBUTION_TABLE_H_
