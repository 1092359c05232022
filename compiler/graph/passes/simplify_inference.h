// simplify_inference: removes batch_norm, whose statistics are constants at
// inference time.
//
// With s = scale / sqrt(variance + epsilon) and t = bias - mean * s, per
// channel and computed in double:
//
//   batch_norm(conv2d(x, w))              conv2d(x, w * s) + t
//   batch_norm(conv2d(x, w) + b)     to   conv2d(x, w * s) + (t + b * s)
//   batch_norm(x)                         x * s + t
//
// The first two rules need constant weights (and a constant b with one value
// per channel) and intermediate results without other users; otherwise the
// third applies. Parameters that are not constants are an error, because no
// other part of the compiler handles batch_norm.
//
// Must run before alter_conv_layout and fuse_operators.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_SIMPLIFY_INFERENCE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_SIMPLIFY_INFERENCE_H_

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class SimplifyInference : public Pass {
 public:
  static constexpr char kName[] = "simplify_inference";
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_SIMPLIFY_INFERENCE_H_
