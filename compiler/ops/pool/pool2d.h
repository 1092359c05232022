// max_pool2d and avg_pool2d, plain or channel-blocked.
#ifndef ASSAY_COMPILER_OPS_POOL_POOL2D_H_
#define ASSAY_COMPILER_OPS_POOL_POOL2D_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// `output` is the result shape of graph type inference. The reduction stage is
// tagged "reduction".

// The maximum over each window; padding elements are ignored.
te::Tensor MaxPool2d(const te::Tensor& data, const graph::Pool2dAttrs& attrs,
                     const Shape& output);

// The mean over each window: the sum divided by the number of elements counted.
te::Tensor AvgPool2d(const te::Tensor& data, const graph::Pool2dAttrs& attrs,
                     const Shape& output);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_POOL_POOL2D_H_
