// The table of supported operators: which ONNX operator, in which opsets, with
// how many operands, is imported by which function. compiler/docs/onnx.md
// repeats it for users, and a test compares the two.
//
// An operator whose signature changed has several rows. ONNX gives the changes
// by opset, so the opset of the model picks the row. Operators are those of the
// domain `ai.onnx` only.
//
// Opset 6, in which old exporters wrote, has the rows of opset 7 but for the
// operators that have a row of their own for it; of older ones there are only
// operators that have never changed since.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATOR_TABLE_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATOR_TABLE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/frontend/onnx/op_import.h"

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
  // -1 means any number. A result that the importer does not set may not be
  // read.
  int max_results;
  absl::Status (*import)(OpImport& op);
};

// Sorted by operator, then opset.
absl::Span<const OperatorRow> OperatorTable();

// The row for `op_type`, or an error that says what is supported.
absl::StatusOr<const OperatorRow*> FindOperator(absl::string_view op_type,
                                                int opset);

// That a node of the row has as many operands as it takes, and all that it
// needs; an operand that is left out has a null node.
absl::Status CheckOperands(absl::Span<const graph::Value> operands,
                           const OperatorRow& row);

// That the node has a result, and no more than the row has.
absl::Status CheckResults(const onnx::NodeProto& node, const OperatorRow& row);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATOR_TABLE_H_
