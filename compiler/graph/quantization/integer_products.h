// Rewrites float32 operators on quantized values as integer operators.
//
// The result of each rewrite is `dequantize` of an int32 tensor with the zero
// point 0. Let x = (qx - zx) * sx and w = (qw - zw) * sw.
//
//   conv2d, dense, matmul   (sum of (qx - zx) * (qw - zw)) * (sx * sw)
//   add of a bias           (q + round(bias / s)) * s
//   add of two sums         (q1 + q2) * s, if both scales are equal
//   mean over axes          (sum of (qx - zx)) * (sx / n)
//   cast to int32           q, if the scale is 1
//
// All sums are exact in int32, as ONNX prescribes for ConvInteger and
// MatMulInteger (they wrap around). The product of two scales and the quotient
// of a scale and n are rounded to float32 once, and a bias is rounded half to
// even.
//
// If the weights are constant, operand x remains in bytes, because processors
// multiply bytes faster than 16-bit integers: the sum of zx * (qw - zw) over
// the weights of a filter is a constant per filter and is subtracted from the
// result. Padding then has the value zx (Conv2dAttrs::pad_value). In all other
// cases, the differences qx - zx and qw - zw are computed in int16, which
// represents them exactly.
#ifndef ASSAY_COMPILER_GRAPH_QUANTIZATION_INTEGER_PRODUCTS_H_
#define ASSAY_COMPILER_GRAPH_QUANTIZATION_INTEGER_PRODUCTS_H_

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Each function replaces `node` and returns true, or returns false if the
// operands do not have the form above.

// For conv2d, dense and matmul. Operand x must have one scale. The scales and
// zero points of the weights may vary along the axis of the filters.
absl::StatusOr<bool> RewriteProduct(Graph& graph, Node* node);

// For add, where one operand is the dequantized result of a product.
absl::StatusOr<bool> RewriteSum(Graph& graph, Node* node);

// For reduce_mean, global_avg_pool2d and avg_pool2d without padding that is not
// counted.
absl::StatusOr<bool> RewriteMean(Graph& graph, Node* node);

// For cast to int32.
absl::StatusOr<bool> RewriteCast(Graph& graph, Node* node);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_QUANTIZATION_INTEGER_PRODUCTS_H_
