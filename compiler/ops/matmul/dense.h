// dense: y[n, m] = sum over k of x[n, k] * w[m, k].
//
// k is the innermost axis of the weights, so vectors run along the reduction:
// kLanes partial sums per result are added at the end. If kLanes does not
// divide k, the reduction is not split.
#ifndef ASSAY_COMPILER_OPS_MATMUL_DENSE_H_
#define ASSAY_COMPILER_OPS_MATMUL_DENSE_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// The result, tagged "dense".
te::Tensor Dense(const OpInstance& op, const Operands& in,
                 const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `dense` (from Dense) and whose result is
// `output`, dense itself or an element-wise function of it.
void ScheduleDense(schedule::Schedule& s, const OpInstance& op,
                   const te::Tensor& dense, const te::Tensor& output,
                   const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_DENSE_H_
