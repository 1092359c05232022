// dense: y[n, m] = sum over k of x[n, k] * w[m, k].
//
// k is the innermost axis of the weights, so vectors are loaded along the
// reduction. For each result, P partial sums are computed in the lanes of
// vectors, and the partial sums are added at the end. P is the largest power of
// two that divides the extent of k and is at most 32. If this number is less
// than 4, there are no partial sums.
#ifndef ASSAY_COMPILER_OPS_MATMUL_DENSE_H_
#define ASSAY_COMPILER_OPS_MATMUL_DENSE_H_

#include "compiler/ops/implementation.h"

namespace assay::ops {

// Returns true if the weights of each result are contiguous.
bool DenseApplies(const OpInstance& op, const target::Target& target);
// Returns the result, a tensor with tag "dense".
te::Tensor Dense(const OpInstance& op, const Operands& in,
                 const target::Target& target, const Config& config);

// Schedules a kernel whose anchor is `dense`, the result of Dense. `output` is
// the result of the kernel. It is either `dense` itself or an elementwise
// function of `dense`.
void ScheduleDense(schedule::Schedule& s, const OpInstance& op,
                   const te::Tensor& dense, const te::Tensor& output,
                   const target::Target& target, const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_MATMUL_DENSE_H_
