// alter_conv_layout: converts convolutions, and the operators between them, to
// blocked layouts, in which the channels are split into blocks.
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
// Here a block of 0 denotes the plain layout.
//
// PlanLayouts (layout_plan.h) chooses the layouts of the whole graph at once.
// The choice depends on the costs of convolutions and layout conversions on the
// target. Convolutions whose weights are not constants are not changed.
//
// The following operators can have any layout:
//   - unary operators, casts and pooling;
//   - quantization operators with one scale and one zero point;
//   - binary operators, if each operand has the shape of the result, one value
//     per channel, or a single value;
//   - concat and slice, if they do not split a block.
// All other operators get operands in the plain layout.
//
// A value is converted to a layout only if one of its users needs this layout.
// If several users need the same layout, they share one layout_transform. If a
// convolution with in_block=b reads the result of a convolution with
// out_block=b, no layout_transform is inserted between the two.
//
// Weights and per-channel constants are packed by cast, pad, reshape,
// transpose, split_bfloat16 and winograd_weights nodes. The pass must run
// before fold_constants, which evaluates these nodes, and after
// simplify_inference, which matches plain convolutions only.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_ALTER_CONV_LAYOUT_H_
#define ASSAY_COMPILER_GRAPH_PASSES_ALTER_CONV_LAYOUT_H_

#include <utility>

#include "compiler/graph/passes/layout_plan.h"
#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class AlterConvLayout : public Pass {
 public:
  static constexpr char kName[] = "alter_conv_layout";
  // If `costs` has no function for conv2d, the pass changes nothing.
  explicit AlterConvLayout(LayoutCosts costs) : costs_(std::move(costs)) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  LayoutCosts costs_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_ALTER_CONV_LAYOUT_H_
