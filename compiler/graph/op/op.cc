#include "compiler/graph/op/op.h"

#include "runtime/base/check.h"

namespace assay::graph {

absl::string_view OpName(OpKind kind) {
  switch (kind) {
#define ASSAY_GRAPH_OP_NAME(kind, name, pattern, attrs, rule) \
  case OpKind::kind:                                          \
    return name;
    ASSAY_FOR_EACH_GRAPH_OP(ASSAY_GRAPH_OP_NAME)
#undef ASSAY_GRAPH_OP_NAME
  }
  CHECK(false) << "operator " << static_cast<int>(kind);
  return "";
}

PatternKind OpPattern(OpKind kind) {
  switch (kind) {
#define ASSAY_GRAPH_OP_PATTERN(kind, name, pattern, attrs, rule) \
  case OpKind::kind:                                             \
    return PatternKind::pattern;
    ASSAY_FOR_EACH_GRAPH_OP(ASSAY_GRAPH_OP_PATTERN)
#undef ASSAY_GRAPH_OP_PATTERN
  }
  CHECK(false) << "operator " << static_cast<int>(kind);
  return PatternKind::kOpaque;
}

absl::string_view PatternName(PatternKind pattern) {
  switch (pattern) {
    case PatternKind::kElemWise:
      return "elemwise";
    case PatternKind::kBroadcast:
      return "broadcast";
    case PatternKind::kInjective:
      return "injective";
    case PatternKind::kCommReduce:
      return "comm_reduce";
    case PatternKind::kOutEWiseFusable:
      return "out_ewise_fusable";
    case PatternKind::kOpaque:
      return "opaque";
  }
  CHECK(false) << "pattern " << static_cast<int>(pattern);
  return "";
}

bool IsUnary(OpKind kind) {
  switch (kind) {
#define ASSAY_GRAPH_OP_CASE(kind, name, pattern, attrs, rule) case OpKind::kind:
    ASSAY_FOR_EACH_UNARY_OP(ASSAY_GRAPH_OP_CASE)
    return true;
    default:
      return false;
  }
}

bool IsBinary(OpKind kind) {
  switch (kind) {
    ASSAY_FOR_EACH_BINARY_OP(ASSAY_GRAPH_OP_CASE)
    return true;
    default:
      return false;
  }
}

bool IsComparison(OpKind kind) {
  switch (kind) {
    ASSAY_FOR_EACH_COMPARISON_OP(ASSAY_GRAPH_OP_CASE)
    return true;
    default:
      return false;
  }
}

bool IsReduce(OpKind kind) {
  switch (kind) {
    ASSAY_FOR_EACH_REDUCE_OP(ASSAY_GRAPH_OP_CASE)
#undef ASSAY_GRAPH_OP_CASE
    return true;
    default:
      return false;
  }
}

std::optional<OpKind> FindOp(absl::string_view name) {
#define ASSAY_GRAPH_OP_FIND(kind, text, pattern, attrs, rule) \
  if (name == text) return OpKind::kind;
  ASSAY_FOR_EACH_GRAPH_OP(ASSAY_GRAPH_OP_FIND)
#undef ASSAY_GRAPH_OP_FIND
  return std::nullopt;
}

std::ostream& operator<<(std::ostream& os, OpKind kind) {
  return os << OpName(kind);
}

std::ostream& operator<<(std::ostream& os, PatternKind pattern) {
  return os << PatternName(pattern);
}

}  // namespace assay::graph
