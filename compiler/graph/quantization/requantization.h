// Rewrites `quantize` of a value that is already stored as integers.
//
// The operand may be computed from dequantized values by operators that move
// elements, select a maximum or clamp. Quantization is monotonic and
// elementwise, so it can be applied before each of them, with the same result:
//
//   quantize(dequantize(q))        q, if scales and zero points are equal
//   quantize(dequantize(sum, s))   requantize(sum, s / scale): rounds
//                                  sum * (s / scale) half to even, then adds
//                                  the zero point and saturates; several
//                                  scales are a multiply before quantize
//                                  with the scale 1, which is the same
//   quantize(relu(x))              maximum(quantize(x), zero point)
//   quantize(clip(x))              quantize(x) between the quantized limits
//   quantize(max_pool2d(x))        max_pool2d(quantize(x))
//   quantize(concat(x, y))         concat(quantize(x), quantize(y))
//   quantize(reshape(x)) etc.      reshape(quantize(x)) etc.
//
// The second line defines the result for sums of products: it is not always
// equal to that of float32, where dequantize rounds once more.
#ifndef ASSAY_COMPILER_GRAPH_QUANTIZATION_REQUANTIZATION_H_
#define ASSAY_COMPILER_GRAPH_QUANTIZATION_REQUANTIZATION_H_

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Replaces the quantize `node` and returns true, or returns false if its
// operand does not have one of these forms.
absl::StatusOr<bool> RewriteQuantize(Graph& graph, Node* node);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_QUANTIZATION_REQUANTIZATION_H_
