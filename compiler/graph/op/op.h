// OpKind: the closed set of graph operators, and how fusion may treat each.
// compiler/docs/graph_ir.md defines the operators: operands, types, arithmetic.
#ifndef ASSAY_COMPILER_GRAPH_OP_OP_H_
#define ASSAY_COMPILER_GRAPH_OP_OP_H_

#include <cstdint>
#include <optional>
#include <ostream>

#include "absl/strings/string_view.h"
#include "compiler/graph/op/op_list.h"

namespace assay::graph {

enum class OpKind : uint8_t {
#define ASSAY_GRAPH_OP_ENUM(kind, name, pattern, attrs, rule) kind,
  ASSAY_FOR_EACH_GRAPH_OP(ASSAY_GRAPH_OP_ENUM)
#undef ASSAY_GRAPH_OP_ENUM
};

// How the elements of a result depend on the elements of the operands. The
// order matters: fusion compares kinds with <=.
enum class PatternKind : uint8_t {
  // A result element depends on the element at the same index of each operand.
  kElemWise,
  // As kElemWise, after operands are repeated along axes of extent one.
  kBroadcast,
  // A result element depends on at most one element of each operand, whose
  // index
  // is a function of the result index (transpose, concat).
  kInjective,
  // A result element is a commutative reduction of many elements.
  kCommReduce,
  // A complex operator whose result may be the operand of fused elementwise
  // operators (conv2d, dense, pooling).
  kOutEWiseFusable,
  // Never fused.
  kOpaque,
};

absl::string_view OpName(OpKind kind);
absl::string_view PatternName(PatternKind pattern);
PatternKind OpPattern(OpKind kind);

// Return true if the operator is in the list of that name in op_list.h.
bool IsUnary(OpKind kind);
bool IsBinary(OpKind kind);
bool IsComparison(OpKind kind);
bool IsReduce(OpKind kind);

// The inverse of OpName; nothing if no operator has that name.
std::optional<OpKind> FindOp(absl::string_view name);

std::ostream& operator<<(std::ostream& os, OpKind kind);
std::ostream& operator<<(std::ostream& os, PatternKind pattern);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_OP_OP_H_
