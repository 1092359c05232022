// Computes arg_max and arg_min along an axis.
//
// Both operators are reductions over (index, value) pairs
// (compiler/te/reducers.h). If all axes after the reduced axis have extent 1,
// the elements along the reduced axis form a contiguous row: each row is
// reduced to a vector of pairs, and the pairs of the vector are combined at the
// end (ScheduleArgRows). Otherwise the innermost axis of the result is
// vectorized (tiled_reduction.h).
#ifndef ASSAY_COMPILER_OPS_REDUCTION_ARG_REDUCE_H_
#define ASSAY_COMPILER_OPS_REDUCTION_ARG_REDUCE_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/op.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Returns the int64 indices of the maxima or minima. `kind` must be kArgMax or
// kArgMin. `output` is the shape of the result according to type inference.
te::Tensor ArgReduce(graph::OpKind kind, const graph::ArgReduceAttrs& attrs,
                     const te::Tensor& x, const Shape& output);

// Schedules a kernel whose only reduction is an ArgReduce over contiguous rows.
// `output`, the result of the kernel, must be an elementwise function of the
// result of this reduction.
void ScheduleArgRows(schedule::Schedule& s, const te::Tensor& output,
                     const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_ARG_REDUCE_H_
