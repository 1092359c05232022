// Helpers of passes that replace one operator by another.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_REWRITE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_REWRITE_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Returns true if `node` has one user and is not a graph output.
bool HasOneUse(const Graph& graph, const Node* node);

// The value of a constant; null for other nodes.
const NDArray* ConstantOf(Value value);

// The value that all elements of a constant float32, float64, int32 or int64
// tensor have; nullopt if they differ.
std::optional<double> SplatOf(Value value);

// Adds a float32 constant of shape [C,1,…,1] and rank `rank` - 1, which
// broadcasts along axis 1 of values of rank `rank`.
Node* PerChannelConstant(Graph& graph, const std::vector<double>& values,
                         int rank, Node* before);

// The values, one per index of axis 1, of a constant float32 operand of an
// elementwise operator with result type `type`; nullopt unless the constant has
// one element or one per index of axis 1.
std::optional<std::vector<double>> PerChannelValues(Value value,
                                                    const TensorType& type);

// Adds a node before `before` and returns its result.
absl::StatusOr<Value> Insert(Graph& graph, OpKind kind, Attrs attrs,
                             const std::vector<Value>& operands, Node* before);

// The same for constant operands; the result is evaluated and becomes a
// constant.
absl::StatusOr<Value> InsertFolded(Graph& graph, OpKind kind, Attrs attrs,
                                   const std::vector<Value>& operands,
                                   Node* before);

// Returns true if `value` can replace `node`. A graph output must be computed,
// and two outputs must not share an operator.
bool CanReplace(const Graph& graph, const Node* node, Value value);

// Replaces `node` by `value` in all users. `value` takes over the sources of
// `node`, and its name if it has none. Erases nodes that become dead, but none
// after `node`.
void Replace(Graph& graph, Node* node, Value value);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_REWRITE_H_
