// alter_conv_layout: moves convolutions, and the operators between them, to
// layouts whose channels are split into blocks.
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
// PlanLayouts (layout_plan.h) chooses the layouts of the whole graph at once,
// from the target's costs of convolutions and conversions. Convolutions whose
// weights are not constants are not changed. Unary operators, casts,
// quantisation with one scale and pools accept any layout. So do binary
// operators whose other operand has the result's shape, one value per channel
// or a single value, and concat and slice if they cut no block. All other
// operators get plain operands. A value is converted at most once to each
// layout, and only for a user that needs it: between two convolutions with
// matching blocks there is no layout_transform.
//
// Weights and per-channel constants are packed by reshape, transpose and
// winograd_weights nodes. Must run before fold_constants, which evaluates these
// nodes, and after simplify_inference, which matches plain convolutions only.
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
