// arg_max and arg_min along an axis.
//
// Both are reductions over (index, value) pairs (compiler/te/reducers.h). If
// the axis is the innermost one with more than one element, each row is reduced
// to a vector of pairs, which is combined at the end (ScheduleArgRows).
// Otherwise the innermost axis of the result is vectorized (tiled_reduction.h).
#ifndef ASSAY_COMPILER_OPS_REDUCTION_ARG_REDUCE_H_
#define ASSAY_COMPILER_OPS_REDUCTION_ARG_REDUCE_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/op.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Returns the int64 indices. `output` is the result shape of type inference;
// `kind` is kArgMax or kArgMin.
te::Tensor ArgReduce(graph::OpKind kind, const graph::ArgReduceAttrs& attrs,
                     const te::Tensor& x, const Shape& output);

// Schedules a kernel with a single reduction, over rows; `output` is an
// element-wise function of its result.
void ScheduleArgRows(schedule::Schedule& s, const te::Tensor& output,
                     const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_ARG_REDUCE_H_
