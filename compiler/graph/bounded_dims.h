// BoundedDims: the values of a graph that have a bounded dynamic dimension, for
// the code that builds the graph (the frontend).
//
// The extent of a bounded dimension is known only when the model runs. The
// value's type holds an upper bound of it, and another value holds the extent
// itself. Elements beyond the extent exist but have no meaning. An operator may
// be applied to such a value only if no element of its result within the extent
// depends on an element beyond it; the result then has a bounded dimension,
// too. This holds for elementwise operators, and for operators that move data,
// reduce or normalize along other axes (compiler/docs/graph_ir.md lists them).
// Any other use is an error.
//
// The graph itself records bounded dimensions of its outputs only
// (Graph::BoundOutput).
#ifndef ASSAY_COMPILER_GRAPH_BOUNDED_DIMS_H_
#define ASSAY_COMPILER_GRAPH_BOUNDED_DIMS_H_

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

struct BoundedDim {
  int axis = 0;
  Value extent;  // int64, one element
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

  // Sets the bounded dimension of the result of `node` that follows from its
  // operands. Unimplemented, naming the operand, if the operator cannot be
  // applied to a value with a bounded dimension.
  absl::Status Derive(const Node& node);

 private:
  absl::flat_hash_map<Value, BoundedDim> dims_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BOUNDED_DIMS_H_
