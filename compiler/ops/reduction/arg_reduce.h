// arg_max and arg_min along an axis.
//
// A reduction over pairs of an index and a value (compiler/te/reducers.h).
// Where the axis is the last that has more than one element, each row keeps a
// vector of pairs, which are combined at its end (ScheduleArgRows); otherwise
// vectors lie along the last axis that stays (tiled_reduction.h).
#ifndef ASSAY_COMPILER_OPS_REDUCTION_ARG_REDUCE_H_
#define ASSAY_COMPILER_OPS_REDUCTION_ARG_REDUCE_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/op.h"
#include "compiler/schedule/schedule.h"
#include "compiler/target/target.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The indices, int64, of shape `output`, which is what type inference gave.
// `kind` is one of the two operators.
te::Tensor ArgReduce(graph::OpKind kind, const graph::ArgReduceAttrs& attrs,
                     const te::Tensor& x, const Shape& output);

// Schedules a kernel whose one reduction is over rows; `output` is an
// element-wise function of it.
void ScheduleArgRows(schedule::Schedule& s, const te::Tensor& output,
                     const target::Target& target);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_ARG_REDUCE_H_
