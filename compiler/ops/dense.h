// dense: y[n, m] = sum over k of x[n, k] * w[m, k].
//
// Weights lie with k innermost, so the natural vector is along the reduction:
// kLanes partial sums per result, added up at the end. Where kLanes does not
// divide k the reduction is left whole.
#ifndef ASSAY_COMPILER_OPS_DENSE_H_
#define ASSAY_COMPILER_OPS_DENSE_H_

#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The result, tagged "dense"; `output` is [n, m].
te::Tensor Dense(const te::Tensor& data, const te::Tensor& weights,
                 const Shape& output);

// Schedules a kernel whose anchor is `dense` (from Dense) and whose result is
// `output`, dense itself or an element-wise function of it.
void ScheduleDense(schedule::Schedule& s, const te::Tensor& dense,
                   const te::Tensor& output, const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_DENSE_H_
