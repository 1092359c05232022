#include "compiler/frontend/onnx/operators/operator_table.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/proto/naming.h"

namespace assay::frontend {

absl::Span<const OperatorRow> OperatorTable() {
  static const std::vector<OperatorRow>& table = *[] {
    auto* rows = new std::vector<OperatorRow>;
    for (const absl::Span<const OperatorRow> family :
         {ConstantOperators(),
          ControlFlowOperators(),
          ControlFlowScanOperators(),
          ConvOperators(),
          ConvTransposeOperators(),
          DataMovementOperators(),
          DataMovementExpandOperators(),
          DataMovementPadOperators(),
          DataMovementShapeOperators(),
          ElementwiseOperators(),
          IdentityOperators(),
          ImageOperators(),
          ImageResizeOperators(),
          IndexingOperators(),
          LossOperators(),
          MatmulOperators(),
          NormalizationOperators(),
          Opset6Operators(),
          OptionalOperators(),
          PoolOperators(),
          PoolUnpoolOperators(),
          QuantizationOperators(),
          QuantizationProductsOperators(),
          RecurrentOperators(),
          ReductionOperators(),
          ScanOperators(),
          SequenceOperators(),
          SignalOperators(),
          SignalMelOperators(),
          SortingOperators(),
          TextOperators()}) {
      rows->insert(rows->end(), family.begin(), family.end());
    }
    std::sort(rows->begin(), rows->end(),
              [](const OperatorRow& a, const OperatorRow& b) {
                return std::make_pair(absl::string_view(a.op_type),
                                      a.first_definition) <
                       std::make_pair(absl::string_view(b.op_type),
                                      b.first_definition);
              });
    return rows;
  }();
  return table;
}

bool HasDefinitionOf(const OperatorRow& row, int opset) {
  const OperatorDefinitions* definitions = FindDefinitions(row.op_type);
  // ONNX does not define the operators that are not in the table.
  const int definition = definitions == nullptr
                             ? opset
                             : std::abs(DefinitionIn(*definitions, opset));
  return row.first_definition <= definition &&
         definition <= row.last_definition;
}

absl::StatusOr<const OperatorRow*> FindOperator(absl::string_view op_type,
                                                int opset) {
  bool is_in_table = false;
  for (const absl::Span<const OperatorRow> rows :
       {OperatorTable(), RecurrentBodyOperators()}) {
    for (const OperatorRow& row : rows) {
      if (op_type != row.op_type) continue;
      if (HasDefinitionOf(row, opset)) return &row;
      is_in_table = true;
    }
  }
  const OperatorDefinitions* definitions = FindDefinitions(op_type);
  if (definitions == nullptr) {
    return Unsupported("operator ", Quote(op_type),
                       " is no operator of ONNX up to opset ", kMaxOpset);
  }
  if (opset == 6) {
    // An operator without a row for opset 6 has the meaning of opset 7.
    const auto row = FindOperator(op_type, 7);
    if (row.ok()) return row;
  }
  const int definition = DefinitionIn(*definitions, opset);
  if (definition == 0) {
    return Unsupported("operator ", Quote(op_type), " does not exist in opset ",
                       opset, "; opset ", std::abs(definitions->opsets[0]),
                       " introduced it");
  }
  if (!is_in_table) {
    return Unsupported("operator ", Quote(op_type), " is not supported");
  }
  if (definition < 0) {
    return Unsupported("operator ", Quote(op_type), " does not exist in opset ",
                       opset, "; opset ", -definition, " removed it");
  }
  return Unsupported("operator ", Quote(op_type), " as opset ", definition,
                     " defines it is not supported");
}

absl::Status CheckOperands(absl::Span<const ImportValue> operands,
                           const OperatorRow& row) {
  const int count = static_cast<int>(operands.size());
  const bool any = row.max_inputs < 0;
  if (count < row.min_inputs || (!any && count > row.max_inputs)) {
    const std::string most = any ? " or more"
                             : row.min_inputs == row.max_inputs
                                 ? ""
                                 : absl::StrCat(" to ", row.max_inputs);
    return Malformed("takes ", row.min_inputs, most,
                     " inputs but the node has ", count);
  }
  for (int i = 0; i < (any ? count : row.min_inputs); ++i) {
    if (operands[i].is_left_out()) {
      return Malformed("input ", i, " is left out but is required");
    }
  }
  for (int i = 0; i < count && !row.takes_any_value; ++i) {
    if (operands[i].is_tensor() || operands[i].is_left_out()) continue;
    return Malformed("input ", i, " is ", operands[i].KindName(),
                     " but a tensor is needed");
  }
  return absl::OkStatus();
}

absl::Status CheckResults(const onnx::NodeProto& node, const OperatorRow& row) {
  const auto& names = node.output();
  if (std::all_of(names.begin(), names.end(),
                  [](const std::string& name) { return name.empty(); })) {
    return Malformed("has no result");
  }
  if (row.max_results >= 0 && node.output_size() > row.max_results) {
    return Malformed("has ", node.output_size(),
                     " results but the operator has at most ", row.max_results);
  }
  return absl::OkStatus();
}

}  // namespace assay::frontend
