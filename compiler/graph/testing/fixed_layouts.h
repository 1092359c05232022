// FixedLayouts: layout costs for tests. Each convolution has exactly one
// candidate layout, which a function of the test chooses.
#ifndef ASSAY_COMPILER_GRAPH_TESTING_FIXED_LAYOUTS_H_
#define ASSAY_COMPILER_GRAPH_TESTING_FIXED_LAYOUTS_H_

#include <functional>
#include <optional>

#include "compiler/graph/passes/layout_plan.h"

namespace assay::graph {

// Returns the layout to choose for a conv2d, given its attributes and the types
// of its data and weights in the plain layout. nullopt means the plain layout.
using Conv2dLayoutChoice = std::function<std::optional<ConvLayout>(
    const Conv2dAttrs& attrs, const TensorType& data,
    const TensorType& weights)>;

// Like Conv2dLayoutChoice, but for a conv2d_transpose.
using TransposedLayoutChoice = std::function<std::optional<ConvLayout>(
    const Conv2dTransposeAttrs& attrs, const TensorType& data,
    const TensorType& weights)>;

// Returns costs with the chosen layouts as the only candidates. The conversion
// of an image costs one second per byte of the image. If `choose_transposed` is
// null, every conv2d_transpose keeps the plain layout.
LayoutCosts FixedLayouts(Conv2dLayoutChoice choose,
                         TransposedLayoutChoice choose_transposed = nullptr);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TESTING_FIXED_LAYOUTS_H_
