// Matrix products and convolutions, shared by importers for float and for
// integer types.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_PRODUCTS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_PRODUCTS_H_

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

// matmul.cc: the matmul of `a` and `b`. An operand of rank 1 is a row (left) or
// a column (right); its additional axis is removed from the result.
absl::StatusOr<graph::Value> AddMatMul(OpImport& op, graph::Value a,
                                       graph::Value b);

// conv.cc: the conv2d of `data` and `weights` with the attributes of Conv.
// Operand 0 of the operator has the shape of `data`.
absl::StatusOr<graph::Value> AddConv(OpImport& op, graph::Value data,
                                     graph::Value weights);

// `y` of [N, channels, …] plus a bias of [channels].
absl::StatusOr<graph::Value> AddChannelBias(OpImport& op, graph::Value y,
                                            graph::Value bias);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_PRODUCTS_H_
