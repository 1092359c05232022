// Constants beside the operands of a node: attributes that become constants of
// the graph, constant operands that become attributes, and positions.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_SCALAR_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_SCALAR_H_

#include <optional>

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/op_import.h"

namespace assay::frontend {

// The value as a scalar of the type, rounded to a float type; an error where an
// integer type does not hold it.
absl::StatusOr<NDArray> ScalarOf(DType type, double value);

// Such a constant of the type of operand 0.
absl::StatusOr<graph::Value> AddScalar(OpImport& op, float value);

// y = kind(x, value) with a scalar of that kind.
absl::StatusOr<graph::Value> AddWithScalar(OpImport& op, graph::OpKind kind,
                                           graph::Value x, float value);

// The number in operand `i` where it is a constant of one element, of a float
// type or int32 or int64; nothing otherwise.
std::optional<float> ConstantScalar(const OpImport& op, int i);

// The number in a constant of one element that is no float; an error where it
// is anything else, which calls it `what`.
absl::StatusOr<int64_t> ConstantInteger(graph::Value value,
                                        absl::string_view what);

// 0, 1, …, count - 1 along the `axis`-th of `rank` axes, int64.
absl::StatusOr<graph::Value> AddPositions(OpImport& op, int64_t count,
                                          int64_t axis, int64_t rank);

// `x` as elements of `type`.
absl::StatusOr<graph::Value> ConvertedTo(OpImport& op, graph::Value x,
                                         DType type);

// Operand `i`, which holds indices, as int64.
absl::StatusOr<graph::Value> AddIndices(OpImport& op, int i);

// The element type of a number that ONNX gives it, which stands in `what`.
absl::StatusOr<DType> ElementType(int64_t code, absl::string_view what);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_SCALAR_H_
