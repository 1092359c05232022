// Functions with which the importers of operators create constants of the
// graph, read constant operands, and convert element types.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_SCALAR_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_SCALAR_H_

#include <optional>

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

// Returns `value` as a scalar of type `type`. For a float type, the value is
// rounded. Returns Unimplemented if an integer type cannot represent the value
// exactly.
absl::StatusOr<NDArray> ScalarOf(DType type, double value);

// Adds a scalar constant with the element type of operand 0 and the value
// `value` (see ScalarOf).
absl::StatusOr<graph::Value> AddScalar(OpImport& op, float value);

// Adds a node of the binary operator `kind` with the operands `x` and
// AddScalar(op, value).
absl::StatusOr<graph::Value> AddWithScalar(OpImport& op, graph::OpKind kind,
                                           graph::Value x, float value);

// Returns the value of operand `i`, which must be known and have one element
// of a float type, int32 or int64. Returns nullopt for any other operand.
std::optional<float> KnownScalar(const OpImport& op, int i);

// Returns the element of `value`, which must be known and have one element of
// integer or bool type. Returns Unimplemented if `value` is not known, and
// InvalidArgument if it has another type or another number of elements. Error
// messages refer to the value by the name `what`.
absl::StatusOr<int64_t> KnownInteger(const OpImport& op, graph::Value value,
                                     absl::string_view what);

// Adds an int64 constant with the elements 0, 1, …, count - 1. Its rank is
// `rank`, its extent along `axis` is `count`, and all other extents are 1.
absl::StatusOr<graph::Value> AddPositions(OpImport& op, int64_t count,
                                          int64_t axis, int64_t rank);

// Returns `x` converted to element type `type`, or `x` itself if it already has
// this type.
absl::StatusOr<graph::Value> ConvertedTo(OpImport& op, graph::Value x,
                                         DType type);

// Returns operand `i`, which contains indices, converted to int64. Returns
// InvalidArgument if its type is neither int32 nor int64.
absl::StatusOr<graph::Value> AddIndices(OpImport& op, int i);

// Returns the element type whose number in ONNX (TensorProto::DataType) is
// `code`. Returns Unimplemented if the type is not supported. `what` names
// the source of `code` in error messages, for example "attribute `to`".
absl::StatusOr<DType> ElementType(int64_t code, absl::string_view what);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_SCALAR_H_
