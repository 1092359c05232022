// OpKind: the closed set of graph operators, and what fusion knows of each.
// The meaning of every operator (operands, types, arithmetic) is written down
// in compiler/docs/graph_ir.md.
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
  // One element from the element at the same index of each operand.
  kElemWise,
  // As kElemWise after operands were repeated along axes of extent one.
  kBroadcast,
  // One element from at most one element of each operand, at an index that
  // is a function of the result's index (transpose, concat).
  kInjective,
  // One element from a commutative reduction of many.
  kCommReduce,
  // A heavy operator whose result may pass through elementwise operators
  // before it is stored (conv2d, dense, pooling).
  kOutEWiseFusable,
  // Never fused.
  kOpaque,
};

absl::string_view OpName(OpKind kind);
absl::string_view PatternName(PatternKind pattern);
PatternKind OpPattern(OpKind kind);

// Whether the operator is in the list of op_list.h of that name.
bool IsUnary(OpKind kind);
bool IsBinary(OpKind kind);
bool IsComparison(OpKind kind);
bool IsReduce(OpKind kind);

// The inverse of OpName; nothing where no operator has that name.
std::optional<OpKind> FindOp(absl::string_view name);

std::ostream& operator<<(std::ostream& os, OpKind kind);
std::ostream& operator<<(std::ostream& os, PatternKind pattern);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_OP_OP_H_
