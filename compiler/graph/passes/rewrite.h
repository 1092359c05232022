// Helper functions for passes that replace one operator by another.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_REWRITE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_REWRITE_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// Returns true if the results of `node` are used exactly once, as an operand of
// a node, and are not graph outputs.
bool HasOneUse(const Graph& graph, const Node* node);

// Returns the tensor of a constant, or null if `value` is not a constant.
const NDArray* ConstantOf(Value value);

// If `value` is a non-empty float32, float64, int32 or int64 constant whose
// elements are all equal, returns the value of the elements. Otherwise returns
// nullopt.
std::optional<double> SplatOf(Value value);

// Adds a float32 constant of shape [C,1,…,1] and rank `rank` - 1, which
// broadcasts along axis 1 of values of rank `rank`.
Node* PerChannelConstant(Graph& graph, const std::vector<double>& values,
                         int rank, Node* before);

// `value` must be an operand of an elementwise operator with result type
// `type`. If it is a float32 constant with a single element, or with one
// element per index of axis 1 of the result, returns one value per index of
// axis 1. Otherwise returns nullopt.
std::optional<std::vector<double>> PerChannelValues(Value value,
                                                    const TensorType& type);

// Adds a node before `before` and returns its result.
absl::StatusOr<Value> Insert(Graph& graph, OpKind kind, Attrs attrs,
                             const std::vector<Value>& operands, Node* before);

// Evaluates an operator whose operands are all constants, adds its first result
// as a constant before `before`, and returns it.
absl::StatusOr<Value> InsertFolded(Graph& graph, OpKind kind, Attrs attrs,
                                   const std::vector<Value>& operands,
                                   Node* before);

// Returns false if `node` is a graph output and `value` is an input, a constant
// or a result of a node that is already a graph output. Otherwise returns true:
// `value` may replace `node`.
bool CanReplace(const Graph& graph, const Node* node, Value value);

// Replaces the only result of `node` by `value` in all users and graph outputs.
// Unless `value` is an input or a constant, its node receives the sources of
// `node`, and the name of `node` if it has none. Erases `node` and its operands
// if they become dead; no node after `node` is erased.
void Replace(Graph& graph, Node* node, Value value);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_REWRITE_H_
