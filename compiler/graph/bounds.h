// Bounds: which values of a graph have a bounded extent, for whoever builds
// the graph (the frontend).
//
// A bounded value has only as many indices along one axis as another value,
// its extent, says when the model runs; what its type says is the bound. What
// lies beyond the extent is there but means nothing. An operator may be
// applied to a bounded value where no element of its result within the extent
// depends on one beyond it; the result is then bounded as well. That is so for
// elementwise operators, and for those that move data, reduce or normalise
// along other axes (compiler/docs/graph_ir.md has the list); everything else is
// an error.
//
// Nothing of this is kept in the graph but for its outputs
// (Graph::BoundOutput).
#ifndef ASSAY_COMPILER_GRAPH_BOUNDS_H_
#define ASSAY_COMPILER_GRAPH_BOUNDS_H_

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

struct Bound {
  int axis = 0;
  Value extent;  // int64, of one element
};

inline bool operator==(const Bound& a, const Bound& b) {
  return a.axis == b.axis && a.extent == b.extent;
}

class Bounds {
 public:
  void Set(Value value, Bound bound) { bounds_[value] = bound; }
  // Null where the value is not bounded.
  const Bound* Find(Value value) const;
  bool empty() const { return bounds_.empty(); }

  // Sets the bound that the result of `node` has because of its operands'.
  // Unimplemented, naming the operand, where the operator cannot be applied to
  // what is bounded.
  absl::Status Derive(const Node& node);

 private:
  absl::flat_hash_map<Value, Bound> bounds_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BOUNDS_H_
