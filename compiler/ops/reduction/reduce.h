// reduce_sum, reduce_mean, reduce_max, reduce_min and reduce_prod over any
// axes, and the global pools, which are two of them.
//
// Where the reduced axes are the last ones they are one contiguous row
// (row_reduce.h); otherwise vectors lie along the last axis that stays
// (tiled_reduction.h).
#ifndef ASSAY_COMPILER_OPS_REDUCTION_REDUCE_H_
#define ASSAY_COMPILER_OPS_REDUCTION_REDUCE_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/ops/config_space.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Whether nothing but axes of one element follows after the first reduced one
// unless it is reduced too. `axes` ascends.
bool ReducesRows(const Shape& input, const std::vector<int64_t>& axes);

// How many elements make one of the result.
int64_t ReducedElements(const Shape& input, const std::vector<int64_t>& axes);

// `kind` is one of the operators; `output` what type inference gave; `config`
// is read where ReducesRows.
te::Tensor Reduce(graph::OpKind kind, const graph::ReduceAttrs& attrs,
                  const te::Tensor& x, const Shape& output,
                  const Config& config);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_REDUCE_H_
