// fold_scale_axis: folds per-channel scales into the weights of a nearby
// convolution or dense product, and per-channel addends into an addition to its
// result.
//
//   multiply(relu(conv2d(x, w)), s)    relu(conv2d(x, w * s))    where s > 0
//   conv2d(multiply(x, s), w)          conv2d(x, w * s)
//   conv2d(add(x, t), w)               add(conv2d(x, w), sum of w * t)
//
// `s` and `t` are constants, one per channel or a single one; weights are
// float32 constants in plain layout. Between the multiplication and the
// operator with the weights there may be average poolings, additions of such
// constants and, if every scale is positive, relu, leaky_relu and maximum
// poolings, all without other users. The third rule needs a convolution without
// padding, because `t` is not added to padding.
//
// Must run after simplify_inference, to fold the multiplications and additions
// that it leaves of a batch_norm before a convolution, after a dense product or
// behind a pooling, and before alter_conv_layout.
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
