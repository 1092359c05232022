// Matrix products and convolutions of the graph, as operators of several
// element types import them.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_PRODUCTS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_PRODUCTS_H_

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/op_import.h"

namespace assay::frontend {

// matmul.cc: the matmul of `a` and `b`, after an operand of rank 1 was made a
// row (on the left) or a column (on the right), whose axis the result loses.
absl::StatusOr<graph::Value> AddMatMul(OpImport& op, graph::Value a,
                                       graph::Value b);

// conv.cc: the conv2d of `data` and `weights`, by the attributes of Conv. The
// operator's operand 0 has the shape of `data`.
absl::StatusOr<graph::Value> AddConv(OpImport& op, graph::Value data,
                                     graph::Value weights);

// `y` of [N, channels, …] plus a bias of [channels].
absl::StatusOr<graph::Value> AddChannelBias(OpImport& op, graph::Value y,
                                            graph::Value bias);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_PRODUCTS_H_
