// reduce_sum, reduce_mean, reduce_max, reduce_min and reduce_prod over any set
// of axes. The global pools are computed as reduce_mean and reduce_max.
//
// If the reduced axes are the innermost ones, their elements form contiguous
// rows (row_reduce.h). Otherwise the innermost axis of the result is vectorized
// (tiled_reduction.h).
#ifndef ASSAY_COMPILER_OPS_REDUCTION_REDUCE_H_
#define ASSAY_COMPILER_OPS_REDUCTION_REDUCE_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/ops/config_space.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Returns true if every axis after the first reduced axis is also reduced or
// has extent 1. `axes` must contain the reduced axes in ascending order.
bool ReducesRows(const Shape& input, const std::vector<int64_t>& axes);

// Returns the number of input elements that are reduced to one result element.
int64_t ReducedElements(const Shape& input, const std::vector<int64_t>& axes);

// Returns the result of `kind`, which must be one of the reduce_* operators.
// `output` is the shape of the result according to type inference. `config` is
// used only if ReducesRows() is true.
te::Tensor Reduce(graph::OpKind kind, const graph::ReduceAttrs& attrs,
                  const te::Tensor& x, const Shape& output,
                  const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_REDUCE_H_
