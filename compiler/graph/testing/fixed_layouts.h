// FixedLayouts: layout costs for tests, which give each convolution the one
// layout that a function chooses for it.
#ifndef ASSAY_COMPILER_GRAPH_TESTING_FIXED_LAYOUTS_H_
#define ASSAY_COMPILER_GRAPH_TESTING_FIXED_LAYOUTS_H_

#include <functional>
#include <optional>

#include "compiler/graph/passes/layout_plan.h"

namespace assay::graph {

// The layout of a plain convolution, given the types of its data and weights;
// nullopt for the plain layout.
using Conv2dLayoutChoice = std::function<std::optional<ConvLayout>(
    const Conv2dAttrs& attrs, const TensorType& data,
    const TensorType& weights)>;

using TransposedLayoutChoice = std::function<std::optional<ConvLayout>(
    const Conv2dTransposeAttrs& attrs, const TensorType& data,
    const TensorType& weights)>;

// Converting an image costs as many seconds as the image has bytes. If
// `choose_transposed` is null, every conv2d_transpose stays plain.
LayoutCosts FixedLayouts(Conv2dLayoutChoice choose,
                         TransposedLayoutChoice choose_transposed = nullptr);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TESTING_FIXED_LAYOUTS_H_
