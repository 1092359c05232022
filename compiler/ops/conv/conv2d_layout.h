// Conv2dLayouts: the layouts, and with them the algorithms, that a convolution
// of a graph can have, each with its time. They are chosen before fusion,
// because the layouts of neighbouring operators and the form of the weights
// depend on them.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV2D_LAYOUT_H_
#define ASSAY_COMPILER_OPS_CONV_CONV2D_LAYOUT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/tensor_type.h"
#include "compiler/graph/passes/layout_plan.h"
#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Seconds of a convolution with the operands' types of `op`, which are those of
// one layout; nullopt if no implementation applies.
using Conv2dTime = std::function<std::optional<double>(const OpInstance& op)>;

struct Conv2dTimes {
  // Time of the fastest implementation in a layout.
  Conv2dTime fastest;
  // Time by which the direct algorithm and Winograd's are compared, both in the
  // same blocks.
  Conv2dTime algorithm;
  // Factor on the time of other blocks than the preferred ones. Above 1, other
  // blocks are chosen to save a conversion, and not because of the errors of
  // estimated times.
  double margin = 1;
};

// `attrs`, `data` and `weights` describe a plain convolution (NCHW, OIHW).
//
// The preferred layout comes first. For a float32 convolution it is the faster
// one of the direct algorithm and of Winograd's with a tile of at most
// `max_winograd` (graph/op/winograd.h). Without groups, the same algorithm in
// other blocks follows. Other blocks without a time are left out; a single
// candidate may have a time of 0.
//
// The plain layout is the only candidate if the filters fill no vector, for
// floats of 16 bits, and for integers that have groups or whose channels no
// block that is a multiple of the depth (dot_tile.h) divides.
std::vector<graph::ConvCandidate> Conv2dLayouts(
    const target::Target& target, const graph::Conv2dAttrs& attrs,
    const graph::TensorType& data, const graph::TensorType& weights,
    int64_t max_winograd, const Conv2dTimes& times);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV2D_LAYOUT_H_
