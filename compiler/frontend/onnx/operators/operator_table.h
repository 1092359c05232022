// The table of supported ONNX operators. Each row contains
//   - the name of an operator;
//   - the supported opsets;
//   - the supported numbers of operands and of results;
//   - the importer of the operator.
// The rows are defined next to the importers (operators.h). A test checks that
// compiler/docs/onnx.md lists the operators of this table.
//
// If the signature of an operator differs between opsets, the operator has
// several rows. The opset of the model selects the row. All operators belong to
// the domain `ai.onnx`.
//
// Old exporters write models of opset 6. In opset 6, an operator without a row
// for opset 6 uses its row for opset 7. In opsets 1 to 5, an operator is
// supported only if its definition has not changed since.
//
// The nodes that replace an operator of another domain may also have operators
// that are not in the table, because ONNX does not define them. They exist only
// in opset 21, in which such nodes are written (contrib_functions.h).
//
// Most operators take only tensors. CheckOperands() rejects other operands
// (import_value.h) unless the row allows them.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATOR_TABLE_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATOR_TABLE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/frontend/onnx/operators/import_value.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

constexpr int kMinOpset = 1;
constexpr int kMaxOpset = 21;

// One row of the table. Opsets from min_opset to max_opset are supported.
struct OperatorRow {
  const char* op_type;
  int min_opset;
  int max_opset;
  int min_inputs;
  // Maximum number of operands. kAnyNumber and kAnyOptional of operators.h mean
  // that there is no maximum.
  int max_inputs;
  // Maximum number of results; kAnyNumber means that there is no maximum. It is
  // an error if a node reads a result that the importer did not set.
  int max_results;
  // The importer, which converts one ONNX node (op_import.h).
  absl::Status (*import)(OpImport& op);
  // If true, operands may be sequences and optional values. The importer then
  // checks the kinds of its operands.
  bool takes_any_value = false;
};

// Returns all rows, sorted by operator and then by opset.
absl::Span<const OperatorRow> OperatorTable();

// Returns the row for the operator `op_type` in opset `opset`, which may be an
// operator that is not in the table (see above). Returns Unimplemented if there
// is no such row.
absl::StatusOr<const OperatorRow*> FindOperator(absl::string_view op_type,
                                                int opset);

// Returns InvalidArgument if the number of operands does not agree with `row`,
// if a required operand is left out, or if an operand is not a tensor and
// row.takes_any_value is false. The first min_inputs operands are required. If
// max_inputs is kAnyNumber, all operands are required.
absl::Status CheckOperands(absl::Span<const ImportValue> operands,
                           const OperatorRow& row);

// Returns InvalidArgument if the node has no result with a name, or if it has
// more than row.max_results results.
absl::Status CheckResults(const onnx::NodeProto& node, const OperatorRow& row);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATOR_TABLE_H_
