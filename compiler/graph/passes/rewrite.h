// What passes that replace one operator by another have in common.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_REWRITE_H_
#define ASSAY_COMPILER_GRAPH_PASSES_REWRITE_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// One user and no graph output.
bool HasOneUse(const Graph& graph, const Node* node);

// The value of a constant; null for everything else.
const NDArray* ConstantOf(Value value);

// What all elements of a constant float, int32 or int64 tensor are.
std::optional<double> SplatOf(Value value);

// A float32 constant of shape [C,1,…,1] and rank `rank` - 1: it broadcasts
// along axis 1 of values of rank `rank`.
Node* PerChannelConstant(Graph& graph, const std::vector<double>& values,
                         int rank, Node* before);

// The values of a constant float32 operand of an elementwise operator with
// result type `type`, where there is one for each index of axis 1 or one for
// all; else nothing.
std::optional<std::vector<double>> PerChannelValues(Value value,
                                                    const TensorType& type);

// A new node before `before`.
absl::StatusOr<Value> Insert(Graph& graph, OpKind kind, Attrs attrs,
                             const std::vector<Value>& operands, Node* before);

// The same, evaluated; the operands are constants.
absl::StatusOr<Value> InsertFolded(Graph& graph, OpKind kind, Attrs attrs,
                                   const std::vector<Value>& operands,
                                   Node* before);

// Whether the users of `node` can have `value` instead: a graph output must be
// computed, and each by an operator of its own.
bool CanReplace(const Graph& graph, const Node* node, Value value);

// The users of `node` get `value` instead, which takes over its name, where it
// has none, and its sources. Erases what is dead then, but nothing that comes
// after `node`.
void Replace(Graph& graph, Node* node, Value value);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_REWRITE_H_
