// The naive interpreter of graphs: the oracle that all other ways of running a
// model are compared with.
//
// It follows compiler/docs/graph_ir.md one operator at a time and uses no code
// of the passes or the lowering. The importer and fold_constants evaluate
// constants with it, so an error of an operator on constants can be in the
// artifact and in the oracle alike. tests/e2e/unfolded_models_test.cc excludes
// this: it compiles every model without folding. float32 operators that reduce
// (conv2d, dense, global_avg_pool2d, batch_norm) compute in double and round
// once at the end, so its error is below that of any float32 kernel. A blocked
// operator is evaluated as what it means: unpack, plain operator, pack.
//
// It favours clarity over speed; ResNet-18 at 224x224 takes a few seconds on
// one thread. Each operator family has a file (rules.h).
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_EVALUATE_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_EVALUATE_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/graph.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

// Returns the data outputs of `graph`, in order; bounded outputs are cut to
// their extents. `inputs` are its inputs, in order; an input of another type is
// an error that names it. An index outside a gathered axis is an error, too.
absl::StatusOr<std::vector<NDArray>> Evaluate(const Graph& graph,
                                              absl::Span<const NDArray> inputs);

// Returns the results of one node for operands of the types of the node's
// operands. Not for graph inputs.
absl::StatusOr<std::vector<NDArray>> EvaluateNode(
    const Node& node, absl::Span<const NDArray> inputs);

// For tests of checks against this interpreter: while an object of this class
// exists, the first element of every result of operators of this kind, or of
// all operators except constants, is wrong by 1. Only one object may exist at a
// time.
class ScopedFault {
 public:
  explicit ScopedFault(std::optional<OpKind> kind = std::nullopt);
  ~ScopedFault();
  ScopedFault(const ScopedFault&) = delete;
  ScopedFault& operator=(const ScopedFault&) = delete;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_EVALUATE_H_
