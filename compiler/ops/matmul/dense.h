// dense: y[n, m] = sum over k of x[n, k] * w[m, k].
//
// k is the innermost axis of the weights, so vectors are loaded along the
// reduction. Each result is computed as P partial sums, the lanes of vectors,
// which are added at the end. P is the largest power of two that divides the
// extent of k, but at most 32. If P would be less than 4, the reduction is not
// split.
#ifndef ASSAY_COMPILER_OPS_MATMUL_DENSE_H_
#define ASSAY_COMPILER_OPS_MATMUL_DENSE_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns the result, a tensor with tag "dense".
te::Tensor Dense(const OpInstance& op, const Operands& in,
                 const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `dense` (from Dense) and whose result is
// `output`: `dense` itself or an elementwise function of it.
void ScheduleDense(schedule::Schedule& s, const OpInstance& op,
                   const te::Tensor& dense, const te::Tensor& output,
                   const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_DENSE_H_
