// ListReport: the operators that have implementations, what those are, and
// what each leaves to choose, on one target. A space depends on the shapes, so
// each operator is shown on example instances: what `//compiler/ops/list`
// prints.
#ifndef ASSAY_COMPILER_OPS_LIST_LIST_REPORT_H_
#define ASSAY_COMPILER_OPS_LIST_LIST_REPORT_H_

#include <string>

#include "compiler/target/target.h"

namespace assay::ops {

//   conv2d(float32[…], float32[…]) -> float32[…] {strides=[1,1], …}
//     conv2d.direct_nchwc  28 points  0.12 ms by the model
//       tile_ow: 28 splits
//       default tile_ow=[-1,14]
std::string ListReport(const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_LIST_LIST_REPORT_H_
