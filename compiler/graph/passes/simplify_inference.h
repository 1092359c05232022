// simplify_inference: replaces batch_norm, whose statistics are constants at
// inference time, by simpler operators.
//
// For each channel let s = scale / sqrt(variance + epsilon) and
// t = bias - mean * s, computed in double precision. Then
//
//   batch_norm(conv2d(x, w))       becomes  conv2d(x, w * s) + t
//   batch_norm(conv2d(x, w) + b)   becomes  conv2d(x, w * s) + (t + b * s)
//   batch_norm(x)                  becomes  x * s + t
//
// The first two rules require that
//   - the convolution has the plain layout and constant float32 weights;
//   - b is a constant with one value per channel (second rule only);
//   - the convolution has no other user;
//   - the addition has no other user (second rule only);
//   - the constants of the result are finite.
// Otherwise the third rule is applied, or, if s or t is not finite, the
// operators of the definition:
//
//   (x - mean) / sqrt(variance + epsilon) * scale + bias
//
// The pass returns Unimplemented if a parameter of a batch_norm is not a
// constant, because kernels cannot compute batch_norm.
//
// The pass must run before assign_encodings and fuse_operators.
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
