// Operators whose `axis` attribute may be left out.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_FLAT_ROWS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_FLAT_ROWS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

// Operand 0 and its axis; without the attribute `axis`, operand 0 flattened.
struct Rows {
  graph::Value x;
  int64_t axis = 0;
};

absl::StatusOr<Rows> ReadRows(OpImport& op);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_FLAT_ROWS_H_
