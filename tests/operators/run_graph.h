// RunCompiled: compiles a graph for this machine and runs it once, for tests
// that compare compiled operators with the interpreter or with given values.
#ifndef ASSAY_TESTS_OPERATORS_RUN_GRAPH_H_
#define ASSAY_TESTS_OPERATORS_RUN_GRAPH_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/graph.h"
#include "runtime/base/ndarray.h"

namespace assay {

// Returns the outputs of `graph` in order. `inputs` are the values of the
// inputs in order. Without `fusion`, every operator is a separate kernel.
absl::StatusOr<std::vector<NDArray>> RunCompiled(
    const graph::Graph& graph, absl::Span<const NDArray> inputs, bool fusion);

}  // namespace assay

#endif  // ASSAY_TESTS_OPERATORS_RUN_GRAPH_H_
