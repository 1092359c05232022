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
// nullopt. NaN is not equal to NaN, and 0 is not equal to -0.
std::optional<double> SplatOf(Value value);

// Adds a float32 constant with one element per channel, that is, per index of
// axis 1, for elementwise operators on tensors of rank `rank`. The constant has
// rank `rank` - 1 and shape [C,1,…,1], where C is the number of `values`.
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

// Adds an `encode` before `before`, or at the end if that is null, and returns
// its result, `value` in this encoding.
absl::StatusOr<Value> InsertEncode(Graph& graph, Value value,
                                   const Encoding& encoding, Node* before);

// Evaluates an operator whose operands are all constants, adds its first result
// as a constant before `before`, and returns it.
absl::StatusOr<Value> InsertFolded(Graph& graph, OpKind kind, Attrs attrs,
                                   const std::vector<Value>& operands,
                                   Node* before);

// Returns true if `value` may replace the result of `node`. If this result is
// not a graph output, any value may replace it. Otherwise, `value` must not be
// an input or a constant, and the node that computes `value` must not already
// have a result that is a graph output.
bool CanReplace(const Graph& graph, const Node* node, Value value);

// Replaces the only result of `node` by `value` in all users and graph outputs.
// Unless `value` is an input or a constant, the node of `value` receives the
// sources of `node`. If the node of `value` has no name, it also receives the
// name of `node`. Then `node` is erased if it is dead (dead_code.h), and so are
// the nodes before it that become dead as a result. No node after `node` in the
// list is erased.
void Replace(Graph& graph, Node* node, Value value);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_REWRITE_H_
