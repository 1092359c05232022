// ListReport: the report that the program `//compiler/ops/list` prints. It
// contains example instances of the main operators. For each instance it lists
// the implementations that apply to the instance on the target. It also
// describes the configuration space of each implementation, which depends on
// the shapes of the operands.
#ifndef ASSAY_COMPILER_OPS_LIST_LIST_REPORT_H_
#define ASSAY_COMPILER_OPS_LIST_LIST_REPORT_H_

#include <string>

#include "compiler/target/target.h"

namespace assay::ops {

// Returns the report for `target`. It contains paragraphs such as:
//
//   conv2d(float32[…], float32[…]) -> float32[…] {strides=[1,1], …}
//     conv2d.direct_nchwc  112 points  0.12 ms by the model
//       tile_ow: 28 splits, tile_oc: 2 values, inline_pad: 2 values
//       default tile_ow=[-1,14] tile_oc=2 inline_pad=0
std::string ListReport(const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_LIST_LIST_REPORT_H_
