// Helpers for tests of graph passes.
#ifndef ASSAY_COMPILER_GRAPH_TESTING_PASS_TESTING_H_
#define ASSAY_COMPILER_GRAPH_TESTING_PASS_TESTING_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/passes/pass.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

// Runs one pass under the runner with all checks; `changed`, which may be null,
// is set to the pass's return value.
absl::Status RunChecked(std::unique_ptr<Pass> pass, Graph& graph,
                        bool* changed = nullptr);

// Runs the pass on the graph in `before`. Returns an empty string if the result
// has the structure of `after`, otherwise the difference. If the texts are
// equal, the pass must report no change.
std::string CheckPass(std::unique_ptr<Pass> pass, absl::string_view before,
                      absl::string_view after);

// Largest difference of any two elements over the largest magnitude in
// `expected` (at least 1); infinity where types differ or a result is NaN.
double MaxError(const std::vector<NDArray>& actual,
                const std::vector<NDArray>& expected);

// For each seed of `count`, compares RandomGraph(seed) before and after the
// passes with the reference interpreter, and parses the text of the result.
// Returns an empty string if all agree, otherwise the first failure with seed
// and graph.
std::string CheckOnRandomGraphs(const std::function<PassList()>& passes,
                                int count);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TESTING_PASS_TESTING_H_
