// max_pool2d and avg_pool2d, in the plain or in a blocked layout.
#ifndef ASSAY_COMPILER_OPS_POOL_POOL2D_H_
#define ASSAY_COMPILER_OPS_POOL_POOL2D_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// In both functions, `output` is the shape of the result according to graph
// type inference. The stage that reduces the windows has the tag "reduction".

// Returns the maximum over each window. Padding is ignored.
te::Tensor MaxPool2d(const te::Tensor& data, const graph::Pool2dAttrs& attrs,
                     const Shape& output);

// Returns the mean over each window. If attrs.count_include_pad is true,
// padding elements count as zeros. Otherwise padding is ignored.
te::Tensor AvgPool2d(const te::Tensor& data, const graph::Pool2dAttrs& attrs,
                     const Shape& output);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_POOL_POOL2D_H_
