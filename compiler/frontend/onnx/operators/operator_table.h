// The table of supported ONNX operators. Each row contains
//   - the name of an operator;
//   - the definitions of the operator that the row implements;
//   - the supported numbers of operands and of results;
//   - the importer of the operator.
// The rows are defined next to the importers (operators.h). A test checks that
// compiler/docs/onnx.md lists the operators of this table.
//
// A definition is named by the opset that introduced it. The history of the
// operators (operator_definitions.h) says which definition an operator has in
// the opset of the model, and this definition selects the row. If the signature
// of an operator differs between definitions, the operator has several rows. A
// definition that no row implements is an error that names the operator. All
// operators belong to the domain `ai.onnx`.
//
// Old exporters write models of opset 6. In opset 6, an operator without a row
// for its definition uses its row for opset 7.
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
#include "compiler/frontend/onnx/operators/operator_definitions.h"

namespace assay::frontend {

// One row of the table. It implements the definitions that the opsets from
// first_definition to last_definition introduced; both introduced one.
struct OperatorRow {
  const char* op_type;
  int first_definition;
  int last_definition;
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

// Returns all rows, sorted by operator and then by definition.
absl::Span<const OperatorRow> OperatorTable();

// Returns true if `row` implements the definition that its operator has in
// `opset`.
bool HasDefinitionOf(const OperatorRow& row, int opset);

// Returns the row for the operator `op_type` in opset `opset`, which may be an
// operator that is not in the table (see above). Returns Unimplemented if
// there is none: if this opset of ONNX does not have the operator, or if there
// is no row for its definition.
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
