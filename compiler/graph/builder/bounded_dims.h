// BoundedDims: maps values of a graph to their bounded dynamic dimensions,
// while a frontend builds the graph.
//
// The extent of a bounded dimension is known only when the model runs. The type
// of the value holds an upper bound of the extent, and another value holds the
// extent itself. Elements beyond the extent exist but have no meaning. A value
// can have several bounded dimensions.
//
// An operator may be applied to a bounded value only if no element of the
// result within the extents depends on an element beyond them. The result is
// then a bounded value as well. Elementwise operators meet this condition. Data
// movements, reductions and normalizations meet it if they keep the bounded
// axis (compiler/docs/graph_ir.md lists all cases). For any other use, the
// caller must make sure that the elements beyond the extent of the operand do
// not matter, for example by a select that replaces them, and say so
// (`settled`). The result is then not bounded by that dimension.
//
// Two extents are the same only if they are the same value.
//
// The graph itself records bounded dimensions only for its outputs
// (Graph::BoundOutput).
#ifndef ASSAY_COMPILER_GRAPH_BUILDER_BOUNDED_DIMS_H_
#define ASSAY_COMPILER_GRAPH_BUILDER_BOUNDED_DIMS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

struct BoundedDim {
  int axis = 0;
  Value extent;  // an int64 tensor with one element
};

inline bool operator==(const BoundedDim& a, const BoundedDim& b) {
  return a.axis == b.axis && a.extent == b.extent;
}

// An axis of an operand of a node.
struct OperandAxis {
  int operand = 0;
  int axis = 0;
};

inline bool operator==(const OperandAxis& a, const OperandAxis& b) {
  return a.operand == b.operand && a.axis == b.axis;
}

class BoundedDims {
 public:
  // Adds a dimension, or replaces the one of the same axis.
  void Set(Value value, BoundedDim dim);
  // Returns the bounded dimensions of a value by ascending axis. The result is
  // valid until the next call of Set() or Derive().
  absl::Span<const BoundedDim> Find(Value value) const;
  // Returns null if axis `axis` is not bounded.
  const BoundedDim* Find(Value value, int axis) const;
  bool IsBounded(Value value) const { return !Find(value).empty(); }

  // Derives the bounded dimensions of the result of `node` from those of its
  // operands, and stores them. Does nothing if no operand is bounded. Ignores
  // the dimensions in `settled`. Returns Unimplemented if the operator cannot
  // be applied to these operands.
  absl::Status Derive(const Node& node,
                      absl::Span<const OperandAxis> settled = {});

 private:
  absl::flat_hash_map<Value, std::vector<BoundedDim>> dims_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BUILDER_BOUNDED_DIMS_H_
