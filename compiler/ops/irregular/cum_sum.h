// cum_sum: running sums along an axis, one row after the other on the threads.
#ifndef ASSAY_COMPILER_OPS_IRREGULAR_CUM_SUM_H_
#define ASSAY_COMPILER_OPS_IRREGULAR_CUM_SUM_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Sums of float16 and bfloat16 are kept in float32.
te::Tensor CumSum(const graph::CumSumAttrs& attrs, const te::Tensor& x);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_IRREGULAR_CUM_SUM_H_
