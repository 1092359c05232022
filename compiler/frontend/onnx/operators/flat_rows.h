// ReadRows: reads the operand and the axis of an operator whose attribute
// `axis` is optional.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_FLAT_ROWS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_FLAT_ROWS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

struct Rows {
  // Operand 0 of the operator. If the attribute `axis` is absent, the operand
  // is flattened to rank 1, and the member `axis` is 0.
  graph::Value x;
  // The axis of x to which the operator is applied.
  int64_t axis = 0;
};

// Reads the attribute `axis` of `op`. Returns InvalidArgument if the attribute
// is out of range. Adds a reshape if the operand must be flattened.
absl::StatusOr<Rows> ReadRows(OpImport& op);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_FLAT_ROWS_H_
