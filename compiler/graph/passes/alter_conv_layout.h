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
// `choose` gives the blocks of a conv2d, `choose_transposed` those of a
// conv2d_transpose. Convolutions for which they give nothing, or with weights
// that are not constants, stay as they are. Unary operators, casts,
// quantisation with one scale and pools follow the layout of their operand;
// binary ones do where the other operand has the result's shape, one value per
// channel or one value, concat where all operands are blocked, slice where it
// takes whole blocks; all else gets plain operands. A value is converted at
// most once to each layout, and only where a user needs it so: two convolutions
// with matching blocks have no layout_transform between them.
//
// Weights and per-channel constants are packed by reshape, transpose and
// winograd_weights nodes: must run before fold_constants, which evaluates
// those, and after simplify_inference, which knows only plain convolutions.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_ALTER_CONV_LAYOUT_H_
#define ASSAY_COMPILER_GRAPH_PASSES_ALTER_CONV_LAYOUT_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

// Positive; `in` divides the convolution's channels, `out` its filters. With
// several groups, each divides the channels or filters of a group or is a
// multiple of them.
struct ConvBlocks {
  int64_t in = 0;
  int64_t out = 0;
  // The tile of graph/winograd.h, 0 for none, and the block of the output
  // channels in the transformed weights, a divisor of the filters too.
  int64_t winograd = 0;
  int64_t weights = 0;
  // Of integers: how many input channels are innermost in the weights, and the
  // type of those.
  int64_t depth = 0;
  DType weight_type = DType::Float32();
};

// The target's choice for a plain convolution, from the types of data and
// weights.
using ChooseConvBlocks = std::function<std::optional<ConvBlocks>(
    const Conv2dAttrs& attrs, const TensorType& data,
    const TensorType& weights)>;

using ChooseTransposedBlocks = std::function<std::optional<ConvBlocks>(
    const Conv2dTransposeAttrs& attrs, const TensorType& data,
    const TensorType& weights)>;

class AlterConvLayout : public Pass {
 public:
  static constexpr char kName[] = "alter_conv_layout";
  // Null for choose_transposed keeps every conv2d_transpose as it is.
  explicit AlterConvLayout(ChooseConvBlocks choose,
                           ChooseTransposedBlocks choose_transposed = nullptr)
      : choose_(std::move(choose)),
        choose_transposed_(std::move(choose_transposed)) {}
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;

 private:
  ChooseConvBlocks choose_;
  ChooseTransposedBlocks choose_transposed_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_ALTER_CONV_LAYOUT_H_
