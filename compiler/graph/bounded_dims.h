// BoundedDims: maps values of a graph to their bounded dynamic dimensions. The
// frontend uses it while it builds the graph.
//
// The extent of a bounded dimension is known only when the model runs. The type
// of the value holds an upper bound of the extent, and another value holds the
// extent itself. Elements beyond the extent exist but have no meaning.
//
// An operator may be applied to a bounded value only if no element of the
// result within the extent depends on an element beyond the extent. The result
// is then a bounded value as well. Elementwise operators meet this condition.
// Data movements, reductions and normalizations meet it if they keep the
// bounded axis (compiler/docs/graph_ir.md lists all cases). Any other use is an
// error.
//
// The graph itself records bounded dimensions only for its outputs
// (Graph::BoundOutput).
#ifndef ASSAY_COMPILER_GRAPH_BOUNDED_DIMS_H_
#define ASSAY_COMPILER_GRAPH_BOUNDED_DIMS_H_

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

struct BoundedDim {
  int axis = 0;
  Value extent;  // an int64 tensor with one element
};

inline bool operator==(const BoundedDim& a, const BoundedDim& b) {
  return a.axis == b.axis && a.extent == b.extent;
}

class BoundedDims {
 public:
  void Set(Value value, BoundedDim dim) { dims_[value] = dim; }
  // Returns null if the value has no bounded dimension.
  const BoundedDim* Find(Value value) const;
  bool empty() const { return dims_.empty(); }

  // Derives the bounded dimension of the result of `node` from the bounded
  // dimensions of its operands, and stores it. Does nothing if no operand is
  // bounded. Returns Unimplemented if the operator cannot be applied to these
  // operands.
  absl::Status Derive(const Node& node);

 private:
  absl::flat_hash_map<Value, BoundedDim> dims_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BOUNDED_DIMS_H_
