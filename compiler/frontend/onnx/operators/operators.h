// The rows of the operator table (operator_table.h). Each function returns the
// rows whose importers are defined in the file of the same name; for example,
// ConvTransposeOperators() is in conv_transpose.cc.
//
// There is one file per operator family. The families are those of
// compiler/graph/op/op_list.h and additional families of ONNX operators, such
// as control_flow, sequence, recurrent, signal, text and loss. A large family
// has several files named FAMILY_PART.cc.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATORS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATORS_H_

#include "absl/types/span.h"
#include "compiler/frontend/onnx/operators/operator_table.h"

namespace assay::frontend {

// Values of OperatorRow::max_inputs and OperatorRow::max_results. kAnyNumber
// means any number, and no operand may be left out. kAnyOptional means any
// number of operands, and operands after the first min_inputs may be left out.
constexpr int kAnyNumber = -1;
constexpr int kAnyOptional = 1 << 20;

absl::Span<const OperatorRow> ConstantOperators();
absl::Span<const OperatorRow> ControlFlowOperators();
absl::Span<const OperatorRow> ControlFlowScanOperators();
absl::Span<const OperatorRow> ConvOperators();
absl::Span<const OperatorRow> ConvTransposeOperators();
absl::Span<const OperatorRow> DataMovementOperators();
absl::Span<const OperatorRow> DataMovementExpandOperators();
absl::Span<const OperatorRow> DataMovementPadOperators();
absl::Span<const OperatorRow> DataMovementShapeOperators();
absl::Span<const OperatorRow> ElementwiseOperators();
absl::Span<const OperatorRow> IdentityOperators();
absl::Span<const OperatorRow> ImageOperators();
absl::Span<const OperatorRow> ImageResizeOperators();
absl::Span<const OperatorRow> IndexingOperators();
absl::Span<const OperatorRow> LossOperators();
absl::Span<const OperatorRow> MatmulOperators();
absl::Span<const OperatorRow> NormalizationOperators();
absl::Span<const OperatorRow> Opset6Operators();
absl::Span<const OperatorRow> OptionalOperators();
absl::Span<const OperatorRow> PoolOperators();
absl::Span<const OperatorRow> PoolUnpoolOperators();
absl::Span<const OperatorRow> QuantizationOperators();
absl::Span<const OperatorRow> QuantizationProductsOperators();
absl::Span<const OperatorRow> RecurrentOperators();
// Operators that are not in the table; FindOperator() finds them.
absl::Span<const OperatorRow> RecurrentBodyOperators();
absl::Span<const OperatorRow> ReductionOperators();
absl::Span<const OperatorRow> ScanOperators();
absl::Span<const OperatorRow> SequenceOperators();
absl::Span<const OperatorRow> SignalOperators();
absl::Span<const OperatorRow> SignalMelOperators();
absl::Span<const OperatorRow> SortingOperators();
absl::Span<const OperatorRow> TextOperators();

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATORS_H_
