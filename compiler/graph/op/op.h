// OpKind enumerates the graph operators; PatternKind says how operator fusion
// may treat an operator. compiler/docs/graph_ir.md defines the operands, types
// and arithmetic of the operators.
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

// Describes how the elements of a result depend on the elements of the
// operands. The order of the kinds matters, because operator fusion compares
// them with < and <=. The first kind is called the weakest, and the last kind
// the strongest.
enum class PatternKind : uint8_t {
  // A result element depends, in each operand, only on the element with the
  // same index.
  kElemWise,
  // Like kElemWise, but operands may first be repeated along axes of extent 1.
  kBroadcast,
  // A result element depends on at most one element of each data operand. The
  // index of that element may differ from the index of the result element.
  // Examples are transpose, concat and gather.
  kInjective,
  // A result element is the reduction of many elements by a commutative
  // operation.
  kCommReduce,
  // None of the above, but elementwise operators that read the result may be
  // fused into the same kernel (conv2d, dense, pooling).
  kOutEWiseFusable,
  // Never fused with another operator.
  kOpaque,
};

absl::string_view OpName(OpKind kind);
absl::string_view PatternName(PatternKind pattern);
PatternKind OpPattern(OpKind kind);

// Each of these functions returns true if `kind` is in the list of the same
// name in op_list.h. For example, the list of IsUnary is
// ASSAY_FOR_EACH_UNARY_OP.
bool IsUnary(OpKind kind);
bool IsBinary(OpKind kind);
bool IsComparison(OpKind kind);
bool IsReduce(OpKind kind);

// The inverse of OpName. Returns nullopt if no operator has this name.
std::optional<OpKind> FindOp(absl::string_view name);

std::ostream& operator<<(std::ostream& os, OpKind kind);
std::ostream& operator<<(std::ostream& os, PatternKind pattern);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_OP_OP_H_
