// The table of supported operators: the opsets of each ONNX operator, its
// number of operands and its importer. The rows are in the files of the
// operators (operators.h). compiler/docs/onnx.md documents them, and a test
// compares the two.
//
// An operator whose signature changed has several rows; the opset of the model
// selects one. All operators belong to the domain `ai.onnx`.
//
// Opset 6, which old exporters wrote, has the rows of opset 7 except for
// operators with a row for opset 6. Of older opsets only operators that have
// not changed since are supported.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATOR_TABLE_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATOR_TABLE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/frontend/onnx/operators/op_import.h"

namespace assay::frontend {

constexpr int kMinOpset = 1;
constexpr int kMaxOpset = 21;

struct OperatorRow {
  const char* op_type;
  int min_opset;
  int max_opset;
  int min_inputs;
  // -1 means any number.
  int max_inputs;
  // -1 means any number. A result that the importer does not set must not be
  // read.
  int max_results;
  absl::Status (*import)(OpImport& op);
};

// Sorted by operator, then opset.
absl::Span<const OperatorRow> OperatorTable();

// The row for `op_type`, or an error that says what is supported.
absl::StatusOr<const OperatorRow*> FindOperator(absl::string_view op_type,
                                                int opset);

// Checks the number of operands and that all required operands are present; an
// operand that is left out has a null node.
absl::Status CheckOperands(absl::Span<const graph::Value> operands,
                           const OperatorRow& row);

// Checks that the node has a result, and no more than the row.
absl::Status CheckResults(const onnx::NodeProto& node, const OperatorRow& row);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATOR_TABLE_H_
