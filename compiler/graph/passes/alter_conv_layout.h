// alter_conv_layout: moves convolutions, and what lies between them, to the
// layout whose channels are split into blocks.
//
//   %2 = conv2d(%x, %w)
//   %3 = relu(%2)
//
// becomes
//
//   %4 = layout_transform(%x) {from_block=0, to_block=3}
//   %5 = conv2d(%4, packed %w) {in_block=3, out_block=16}
//   %6 = relu(%5)
//   %7 = layout_transform(%6) {from_block=16, to_block=0}
//
// layout_plan.h decides for the whole graph at once which layout everything is
// computed in, by what the target says convolutions and conversions take.
// Convolutions with weights that are not constants stay as they are. Unary
// operators, casts, quantisation with one scale and pools can have any layout;
// binary ones where the other operand has the result's shape, one value per
// channel or one value, concat and slice where they cut no block; all else gets
// plain operands. A value is converted at most once to each layout, and only
// where a user needs it so: two convolutions with matching blocks have no
// layout_transform between them.
//
// Weights and per-channel constants are packed by reshape, transpose and
// winograd_weights nodes: must run before fold_constants, which evaluates
// those, and after simplify_inference, which knows only plain convolutions.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_ALTER_CONV_LAYOUT_H_
#define ASSAY_COMPILER_GRAPH_PASSES_ALTER_CONV_LAYOUT_H_

#include <functional>
#include <optional>
#include <utility>

#include "compiler/graph/passes/layout_plan.h"
#include "compiler/graph/passes/pass.h"

namespace assay::graph {

// One choice for a plain convolution, from the types of data and weights;
// nothing for the plain layout.
using ChooseConvBlocks = std::function<std::optional<ConvBlocks>(
    const Conv2dAttrs& attrs, const TensorType& data,
    const TensorType& weights)>;

using ChooseTransposedBlocks = std::function<std::optional<ConvBlocks>(
    const Conv2dTransposeAttrs& attrs, const TensorType& data,
    const TensorType& weights)>;

// Costs by which every convolution gets the blocks chosen for it, and
// conversions are of as few bytes as can be. Null for `choose_transposed` keeps
// every conv2d_transpose as it is.
LayoutCosts FixedLayouts(ChooseConvBlocks choose,
                         ChooseTransposedBlocks choose_transposed = nullptr);

class AlterConvLayout : public Pass {
 public:
  static constexpr char kName[] = "alter_conv_layout";
  // Costs without a function for conv2d keep everything as it is.
  explicit AlterConvLayout(LayoutCosts costs) : costs_(std::move(costs)) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  LayoutCosts costs_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_ALTER_CONV_LAYOUT_H_
