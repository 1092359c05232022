// fold_scale_axis: folds multiplications by per-channel scales into the weights
// of a nearby convolution or dense product. It also moves per-channel addends
// from the data to the result of a convolution or dense product.
//
//   multiply(relu(conv2d(x, w)), s)    relu(conv2d(x, w * s))    where s > 0
//   conv2d(multiply(x, s), w)          conv2d(x, w * s)
//   conv2d(add(x, t), w)               add(conv2d(x, w), sum of w * t)
//
// `s` and `t` are constants with one value per channel or a single value.
// Weights must be float32 constants, and convolutions must have the plain
// layout.
//
// In the first two rules, the following operators may be between the
// multiplication and the operator with the weights. None of them may have
// another user.
//   - average pooling;
//   - additions of constants with one value per channel or a single value;
//   - relu, leaky_relu and maximum pooling, if every scale is positive.
// The second rule requires scales whose absolute value is larger than 1e-20.
// In the third rule, a convolution must have no padding, because `t` is not
// added to the padding.
//
// The pass must run after simplify_inference and before alter_conv_layout. It
// folds the multiplications and additions by which simplify_inference replaces
// those batch_norm operators that do not follow a convolution.
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
