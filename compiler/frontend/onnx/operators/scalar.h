// Constants of importers: attributes that become constants of the graph,
// constant operands that become attributes, and positions.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_SCALAR_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_SCALAR_H_

#include <optional>

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

// The value as a scalar of the type, rounded to a float type; an error if an
// integer type cannot represent it.
absl::StatusOr<NDArray> ScalarOf(DType type, double value);

// Adds such a constant of the type of operand 0.
absl::StatusOr<graph::Value> AddScalar(OpImport& op, float value);

// kind(x, value) with a scalar of the type of operand 0.
absl::StatusOr<graph::Value> AddWithScalar(OpImport& op, graph::OpKind kind,
                                           graph::Value x, float value);

// The value of operand `i` if it is a constant of one element, of a float type,
// int32 or int64; otherwise nothing.
std::optional<float> ConstantScalar(const OpImport& op, int i);

// The value of an integer constant of one element; otherwise an error that
// calls it `what`.
absl::StatusOr<int64_t> ConstantInteger(graph::Value value,
                                        absl::string_view what);

// int64 0, 1, …, count - 1 along axis `axis` of `rank` axes.
absl::StatusOr<graph::Value> AddPositions(OpImport& op, int64_t count,
                                          int64_t axis, int64_t rank);

// `x` converted to elements of `type`.
absl::StatusOr<graph::Value> ConvertedTo(OpImport& op, graph::Value x,
                                         DType type);

// Operand `i`, which holds indices, as int64.
absl::StatusOr<graph::Value> AddIndices(OpImport& op, int i);

// The element type with ONNX's number `code`, which was read from `what`.
absl::StatusOr<DType> ElementType(int64_t code, absl::string_view what);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_SCALAR_H_
