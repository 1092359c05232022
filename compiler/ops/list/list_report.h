// ListReport: the report printed by `//compiler/ops/list`. It lists, for one
// target, the operators that have implementations, these implementations, and
// their configuration spaces. A space depends on the operand shapes, so each
// operator is shown for example instances.
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
