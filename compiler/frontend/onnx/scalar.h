// Scalars beside the operands of a node: attributes that become constants of
// the graph, and constant operands that become attributes.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_SCALAR_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_SCALAR_H_

#include <optional>

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/op_import.h"

namespace assay::frontend {

// A scalar constant of the type of operand 0; an error where an integer type
// does not hold the value.
absl::StatusOr<graph::Value> AddScalar(OpImport& op, float value);

// y = kind(x, value) with a scalar of that kind.
absl::StatusOr<graph::Value> AddWithScalar(OpImport& op, graph::OpKind kind,
                                           graph::Value x, float value);

// The number in operand `i` where it is a constant of one element, of a float
// type or int32 or int64; nothing otherwise.
std::optional<float> ConstantScalar(const OpImport& op, int i);

// The same for integers of any type.
std::optional<int64_t> ConstantInteger(const OpImport& op, int i);

// `x` as elements of `type`.
absl::StatusOr<graph::Value> ConvertedTo(OpImport& op, graph::Value x,
                                         DType type);

// Operand `i`, which holds indices, as int64.
absl::StatusOr<graph::Value> AddIndices(OpImport& op, int i);

// The element type of a number that ONNX gives it, which stands in `what`.
absl::StatusOr<DType> ElementType(int64_t code, absl::string_view what);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_SCALAR_H_
