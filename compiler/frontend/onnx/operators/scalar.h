// Functions with which the importers of operators create constants of the
// graph, and read operands that are numbers.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_SCALAR_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_SCALAR_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

// Adds a scalar constant with the element type of operand 0 and the value
// `value` (see graph::ScalarOf).
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

// Returns the elements of operand `i`, int32 or int64 of rank 0 or 1. Returns
// an error if the operand has another type or is not tracked (RunTimeInts).
// `what` is the name of the operand for error messages.
absl::StatusOr<std::vector<RunTimeInt>> IntsOf(const OpImport& op, int i,
                                               absl::string_view what);

// Returns the element of `value`, which must have one element of integer or
// bool type. `what` is the name of the value for error messages.
absl::StatusOr<RunTimeInt> OneInteger(const OpImport& op, graph::Value value,
                                      absl::string_view what);

// Returns operand `i`, which contains indices, converted to int64. Returns
// InvalidArgument if its type is neither int32 nor int64.
absl::StatusOr<graph::Value> AddIndices(OpImport& op, int i);

// Returns the element type whose number in ONNX (TensorProto::DataType) is
// `code`. Returns Unimplemented if the type is not supported. `what` names
// the source of `code` in error messages, for example "attribute `to`".
absl::StatusOr<DType> ElementType(int64_t code, absl::string_view what);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_SCALAR_H_
