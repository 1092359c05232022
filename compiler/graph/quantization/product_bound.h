// MaxSumOfProducts: the largest sum that an integer product can compute.
//
// A product of quantized tensors is computed with sums of int32. A sum that
// does not fit wraps around, which is what MatMulInteger and ConvInteger
// define, but a wrong result for a product of numbers. 33,025 products of bytes
// always fit.
#ifndef ASSAY_COMPILER_GRAPH_QUANTIZATION_PRODUCT_BOUND_H_
#define ASSAY_COMPILER_GRAPH_QUANTIZATION_PRODUCT_BOUND_H_

#include "compiler/graph/graph.h"
#include "compiler/graph/quantization/quantized_value.h"

namespace assay::graph {

// Returns an upper bound on the absolute value of every sum of products of
// `node`, which must be a conv2d in the plain layout, a dense or a matmul of
// `x` and `w`, without their zero points. Both must be stored as bytes.
double MaxSumOfProducts(const Node* node, const QuantizedValue& x,
                        const QuantizedValue& w);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_QUANTIZATION_PRODUCT_BOUND_H_
