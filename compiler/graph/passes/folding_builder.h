// FoldingBuilder: adds nodes to a graph and evaluates those whose operands are
// all constants, so that a rewrite need not distinguish constant weights and
// parameters from computed ones.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_FOLDING_BUILDER_H_
#define ASSAY_COMPILER_GRAPH_PASSES_FOLDING_BUILDER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

class FoldingBuilder {
 public:
  // Adds nodes to `graph` before the node `before`. Both must outlive this
  // object.
  FoldingBuilder(Graph& graph, Node* before) : graph_(graph), before_(before) {}

  Graph& graph() { return graph_; }

  // Returns the result of a new node, or a constant if all operands are
  // constants. Returns an error if type inference or evaluation fails.
  absl::StatusOr<Value> Add(OpKind kind, Attrs attrs,
                            const std::vector<Value>& operands);

  Value Constant(NDArray value);
  // Returns a constant with one element, of type `dtype` and rank 0.
  Value IntScalar(DType dtype, int64_t value);

  absl::StatusOr<Value> Cast(Value x, DType dtype);
  // Returns `x` if it already has this shape.
  absl::StatusOr<Value> Reshape(Value x, const Shape& shape);

 private:
  Graph& graph_;
  Node* const before_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_FOLDING_BUILDER_H_
