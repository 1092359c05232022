// The history of the ONNX operators: the opsets that have changed the
// definition of each operator of the domain `ai.onnx`, up to the newest opset.
//
// Most opsets define only a few operators; all others keep the definitions that
// they have. An importer is written for certain definitions (operator_table.h).
// Together with this history, they say in which opsets an operator can be
// imported, so that a new opset costs work only for the operators that it
// changes.
//
// //tests/onnx_conformance:operator_definitions_test compares the history with
// that of the newest package `onnx`.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATOR_DEFINITIONS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATOR_DEFINITIONS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::frontend {

// The opsets of `ai.onnx`.
constexpr int kMinOpset = 1;
constexpr int kMaxOpset = 28;

struct OperatorDefinitions {
  const char* op_type;
  // The opsets that define the operator, in ascending order, followed by zeros.
  // A negative number -n means that opset n deprecates the operator.
  int8_t opsets[12];
};

// Returns all operators, sorted by name.
absl::Span<const OperatorDefinitions> AllOperatorDefinitions();

// Returns the history of `op_type`; null if ONNX has no such operator.
const OperatorDefinitions* FindDefinitions(absl::string_view op_type);

// Returns the last of the opsets up to `opset` that defines the operator: a
// negative number if this opset deprecates it, and 0 if a later opset
// introduces it.
int DefinitionIn(const OperatorDefinitions& definitions, int opset);

// Returns the last opset in which the operator has the definition of opset
// `definition`.
int LastOpsetOf(const OperatorDefinitions& definitions, int definition);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_OPERATORS_OPERATOR_DEFINITIONS_H_
