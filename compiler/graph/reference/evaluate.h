// The naive interpreter of graphs: the oracle that every other way of running
// a model is compared with.
//
// It follows compiler/docs/graph_ir.md one operator at a time and shares no
// code with the passes or the lowering. float32 operators that reduce
// (conv2d, dense, global_avg_pool2d, batch_norm) compute in double and round
// once at the end, so its error is below that of any float32 kernel. A blocked
// operator is evaluated as what it means: unpack, plain operator, pack.
//
// Slow on purpose, but not absurdly so: loops have their bounds hoisted, and
// ResNet-18 at 224x224 takes a few seconds on one thread.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_EVALUATE_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_EVALUATE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/graph.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

// The outputs of `graph`, in order, bounded ones cut to their extents, which
// are left out themselves. `inputs` are its inputs, in order; the
// error names the one of another type. An index outside the gathered axis is
// an error too.
absl::StatusOr<std::vector<NDArray>> Evaluate(const Graph& graph,
                                              absl::Span<const NDArray> inputs);

// The results of one node for the given operands, which have the types of the
// node's operands. Not for graph inputs.
absl::StatusOr<std::vector<NDArray>> EvaluateNode(
    const Node& node, absl::Span<const NDArray> inputs);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_EVALUATE_H_
