// fold_scale_axis: folds multiplications by per-channel scales into the weights
// of a nearby convolution or dense product.
//
//   multiply(relu(conv2d(x, w)), s)    relu(conv2d(x, w * s))    where s > 0
//   multiply(add(dense(x, w), b), s)   add(dense(x, w * s), b * s)
//   conv2d(multiply(x, s), w)          conv2d(x, w * s)
//
// `s` and `b` are constants with one value per channel or a single value.
// Weights must be float32 constants, and convolutions must have the plain
// layout. The scaled weights must be finite.
//
// The following operators may be between the multiplication and the operator
// with the weights. None of them may have another user.
//   - average pooling;
//   - relu, leaky_relu and maximum pooling, if every scale is positive;
//   - in the direction of the second rule, one addition of a bias whose values
//     are below 65536. Larger constants, and a second addition, are those of
//     models that round by adding and subtracting; a scale must not pass them.
//
// The pass must run after simplify_inference and before assign_encodings. It
// folds the multiplications by which simplify_inference replaces those
// batch_norm operators that do not follow a convolution.
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
