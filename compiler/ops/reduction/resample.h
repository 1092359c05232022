// Operators that make each element of their result from a few elements of an
// image: resample and grid_sample.
//
// Both are weighted sums over taps, one reduction tagged "reduction". The taps
// of resample are given as tables. Those of grid_sample are computed first,
// once for all channels, as tables of their own, which are stages tagged
// "pad" so that the generic schedule keeps them.
#ifndef ASSAY_COMPILER_OPS_REDUCTION_RESAMPLE_H_
#define ASSAY_COMPILER_OPS_REDUCTION_RESAMPLE_H_

#include "compiler/graph/op/attrs.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

// Element i along the axis is the sum over k of weights[i, k] * x[indices[i,
// k]]; indices are moved into the axis.
te::Tensor Resample(const te::Tensor& x, const te::Tensor& indices,
                    const te::Tensor& weights, int64_t axis);

// x [N,C,spatial…], grid [N,output…,axes] with the last spatial axis first.
te::Tensor GridSample(const te::Tensor& x, const te::Tensor& grid,
                      const graph::GridSampleAttrs& attrs);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_REDUCTION_RESAMPLE_H_
