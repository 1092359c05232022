// Matrix products and convolutions. The importers of float operators and those
// of quantized operators use these functions.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_PRODUCTS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_PRODUCTS_H_

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

// Adds the matmul of `a` and `b` with the semantics of ONNX MatMul (matmul.cc).
// If `a` has rank 1, it is treated as a matrix with one row. If `b` has rank 1,
// it is treated as a matrix with one column. In both cases, the added axis of
// extent 1 is removed from the result.
absl::StatusOr<graph::Value> AddMatMul(OpImport& op, graph::Value a,
                                       graph::Value b);

// Adds the convolution of `data` and `weights` over one, two or three spatial
// axes (conv.cc). Reads the attributes of the ONNX operator Conv from `op`.
// Operand 0 of `op` must have the shape of `data`.
absl::StatusOr<graph::Value> AddConv(OpImport& op, graph::Value data,
                                     graph::Value weights);

// Adds `bias` to `y`. The shape of `y` must be [N, channels, …], and the shape
// of `bias` must be [channels]. Returns InvalidArgument for other shapes.
absl::StatusOr<graph::Value> AddChannelBias(OpImport& op, graph::Value y,
                                            graph::Value bias);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_PRODUCTS_H_
