// fold_scale_axis: multiplies scales of channels into the weights of a
// convolution or dense product nearby, and addends into what is added to its
// result.
//
//   multiply(relu(conv2d(x, w)), s)    relu(conv2d(x, w * s))    where s > 0
//   conv2d(multiply(x, s), w)          conv2d(x, w * s)
//   conv2d(add(x, t), w)               add(conv2d(x, w), sum of w * t)
//
// `s` and `t` have one constant for each channel or one for all; weights are
// constants, of float32, in plain layout. Between the multiplication and the
// operator with the weights there may be poolings, additions of such constants,
// and, where every scale is positive, relu, leaky_relu and maximum poolings,
// all without other users. The third rule needs a convolution without padding,
// since what is padded is not added to.
//
// After simplify_inference this takes in what that left of a batch_norm:
// those before a convolution, after a dense product, and behind a pooling.
// Must run before alter_conv_layout.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FOLD_SCALE_AXIS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FOLD_SCALE_AXIS_H_

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class FoldScaleAxis : public Pass {
 public:
  static constexpr char kName[] = "fold_scale_axis";
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FOLD_SCALE_AXIS_H_
