// max_pool2d and global_avg_pool2d, plain or channel-blocked.
#ifndef ASSAY_COMPILER_OPS_POOL2D_H_
#define ASSAY_COMPILER_OPS_POOL2D_H_

#include "compiler/graph/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// The maximum over each window; padding never wins. `output` is the result
// shape of graph type inference.
te::Tensor MaxPool2d(const te::Tensor& data, const graph::Pool2dAttrs& attrs,
                     const Shape& output);

// The mean over the spatial axes 2 and 3, which keep extent 1. Two stages: the
// sum, and its division by the number of elements.
te::Tensor GlobalAvgPool2d(const te::Tensor& data);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_POOL2D_H_
