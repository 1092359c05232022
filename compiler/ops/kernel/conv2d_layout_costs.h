// Conv2dLayoutCosts: the layouts that one convolution of a graph may have, and
// what it takes in each, for choosing those of a whole graph together.
#ifndef ASSAY_COMPILER_OPS_KERNEL_CONV2D_LAYOUT_COSTS_H_
#define ASSAY_COMPILER_OPS_KERNEL_CONV2D_LAYOUT_COSTS_H_

#include <cstdint>
#include <vector>

#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/tensor_type.h"
#include "compiler/ops/conv/conv2d_layout.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Blocks of 0 stand for the plain layout. Seconds are those of the strategy
// (op_strategy.h).
struct Conv2dLayoutCost {
  Conv2dLayout layout;
  double seconds = 0;
};

// What ChooseConv2dLayout prefers comes first. Of a float32 convolution without
// groups the same algorithm in other blocks follows, counted a little slower
// than its model says, so that it is chosen where that saves a conversion, and
// not for the errors of models. Just the plain layout where nothing is
// preferred.
std::vector<Conv2dLayoutCost> Conv2dLayoutCosts(
    const target::Target& target, const graph::Conv2dAttrs& attrs,
    const graph::TensorType& data, const graph::TensorType& weights,
    int64_t max_winograd);

// Seconds to convert an image from one layout to another.
double LayoutTransformSeconds(const target::Target& target,
                              const graph::TensorType& image);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_KERNEL_CONV2D_LAYOUT_COSTS_H_
