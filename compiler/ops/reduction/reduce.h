// reduce_sum, reduce_mean, reduce_max, reduce_min and reduce_prod over any set
// of axes. The global pools are computed as reduce_mean and reduce_max.
//
// If the reduced axes are the innermost ones, they form one contiguous row
// (row_reduce.h). Otherwise the innermost axis of the result is vectorized
// (tiled_reduction.h).
#ifndef ASSAY_COMPILER_OPS_REDUCTION_REDUCE_H_
#define ASSAY_COMPILER_OPS_REDUCTION_REDUCE_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/ops/config_space.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Returns true if every axis after the first reduced one is reduced as well or
// has a single element. `axes` is in ascending order.
bool ReducesRows(const Shape& input, const std::vector<int64_t>& axes);

// Returns the number of input elements that are reduced to one result element.
int64_t ReducedElements(const Shape& input, const std::vector<int64_t>& axes);

// `kind` is one of the reduce_* operators and `output` the result shape of type
// inference. `config` is used only if ReducesRows().
te::Tensor Reduce(graph::OpKind kind, const graph::ReduceAttrs& attrs,
                  const te::Tensor& x, const Shape& output,
                  const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_REDUCE_H_
